#include "timeline/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

// An event is named by a number, which is its size and its tag.
using Sequence = std::vector<std::uint32_t>;

Event event_named(std::uint32_t name) {
  Event event;
  event.bytes = name;
  event.peer = static_cast<std::int32_t>(name % 7);
  event.tag = static_cast<std::int32_t>(name);
  return event;
}

Sequence unrolled(const ThreadStream& stream) {
  Sequence names;
  for_each_event(stream, [&](const Step& step) {
    names.push_back(static_cast<std::uint32_t>(step.event->bytes));
  });
  return names;
}

std::size_t items(const Program& program) {
  std::size_t sum = 0;
  for (const Rule& rule : program.rules) sum += rule.items.size();
  return sum;
}

void append(Sequence& sequence, const Sequence& part, std::uint32_t times = 1) {
  for (std::uint32_t i = 0; i < times; ++i)
    sequence.insert(sequence.end(), part.begin(), part.end());
}

/// What is kept is the beginning, and the omission counts the rest.
void expect_holds(const ThreadStream& stream, const Sequence& sequence, std::size_t appended,
                  const std::string& what) {
  std::size_t kept = appended;
  std::uint64_t sent = 0;
  for (std::size_t i = 0; i < appended; ++i) sent += sequence[i];
  ASSERT_EQ(stream.events, appended) << what;
  ASSERT_EQ(stream.bytes, sent) << what;
  if (!stream.omissions.empty()) {
    ASSERT_EQ(stream.omissions.size(), 1U) << what;
    const Omission& rest = stream.omissions.front();
    kept = rest.after_events;
    ASSERT_EQ(rest.events, appended - kept) << what;
    for (std::size_t i = 0; i < kept; ++i) sent -= sequence[i];
    ASSERT_EQ(rest.bytes, sent) << what;
  }
  const Sequence found = unrolled(stream);
  ASSERT_EQ(found.size(), kept) << what;
  ASSERT_TRUE(std::equal(found.begin(), found.end(), sequence.begin())) << what;
}

/// No event's times are lost, and none counts twice; `before` and `inside` were measured in total.
void expect_times(const ThreadStream& stream, double before, double inside,
                  const std::string& what) {
  std::uint64_t timed = 0;
  double sum_before = 0;
  double sum_inside = 0;
  for (const PositionTimes& times : stream.times) {
    timed += times.timed + (times.has_first ? 1 : 0);
    sum_before += times.before.sum + (times.has_first ? times.first_before : 0);
    sum_inside += times.inside.sum + (times.has_first ? times.first_inside : 0);
    if (times.timed == 0) continue;
    const auto count = static_cast<double>(times.timed);
    ASSERT_LE(times.before.least, times.before.sum / count) << what;
    ASSERT_GE(times.before.most, times.before.sum / count) << what;
  }
  ASSERT_EQ(timed, stream.events) << what;
  ASSERT_DOUBLE_EQ(sum_before, before) << what;
  ASSERT_DOUBLE_EQ(sum_inside, inside) << what;
}

/// Folds the sequence and looks at the stream now and then, also in the middle of a loop. Returns
/// the stream at the end.
ThreadStream folded(const Sequence& sequence, const std::string& what,
                    std::size_t most_bytes = std::size_t{100} << 20U) {
  MemoryAccount account;
  account.most = most_bytes;
  Folder folder(account);
  std::mt19937 random(1);
  double before = 0;
  double inside = 0;
  std::size_t appended = 0;
  for (const std::uint32_t name : sequence) {
    folder.append(event_named(name), name);
    const std::uint32_t gap = 10 + static_cast<std::uint32_t>(random()) % 10;
    folder.measured(gap, 20);
    before += gap;
    inside += 20;
    if (++appended % 997 != 0) continue;
    expect_holds(folder.stream(1), sequence, appended, what);
    if (testing::Test::HasFatalFailure()) return {};
  }
  ThreadStream stream = folder.stream(1);
  expect_holds(stream, sequence, appended, what);
  if (testing::Test::HasFatalFailure()) return stream;
  if (!folder.full()) expect_times(stream, before, inside, what);
  return stream;
}

TEST(Folder, FoldsALoop) {
  Sequence sequence;
  append(sequence, {1, 2, 3}, 33333);
  const ThreadStream stream = folded(sequence, "a loop");
  EXPECT_EQ(items(stream.program), 4U);  // one repeated rule of three
}

TEST(Folder, FoldsNestedLoops) {
  Sequence sequence;
  for (int step = 0; step < 3000; ++step) {
    append(sequence, {1});
    for (int i = 0; i < 7; ++i) append(sequence, {2, 9, 9, 9, 3, 4});
    append(sequence, {5});
  }
  EXPECT_LE(items(folded(sequence, "nested").program), 10U);
}

TEST(Folder, FoldsLoopsWhoseInnerCountsVary) {
  std::mt19937 random(42);
  Sequence sequence;
  for (int step = 0; step < 3000; ++step) {
    append(sequence, {1});
    append(sequence, {2, 3, 4}, 5 + static_cast<std::uint32_t>(random()) % 4);
    append(sequence, {5});
  }
  // A step is one of four: no more than some two numbers a step are news.
  EXPECT_LE(items(folded(sequence, "varying").program), 3000U);
}

TEST(Folder, KeepsWhatDoesNotRepeat) {
  std::mt19937 random(3);
  Sequence distinct, of_two, of_many;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    distinct.push_back(i);
    of_two.push_back(static_cast<std::uint32_t>(random()) % 2);
    of_many.push_back(static_cast<std::uint32_t>(random()) % 16);
  }
  folded(distinct, "distinct");
  folded(of_two, "random of 2");
  folded(of_many, "random of 16");
}

/// Loops of loops, with something odd in between now and then.
Sequence random_program(std::mt19937& random) {
  std::vector<Sequence> bodies{{0}, {1}, {2}};
  for (int i = 0; i < 6; ++i) {
    Sequence body;
    for (std::uint32_t parts = 1 + static_cast<std::uint32_t>(random()) % 3; parts > 0; --parts) {
      const Sequence part = bodies[static_cast<std::uint32_t>(random()) % bodies.size()];
      if (body.size() < 400) append(body, part, 1 + static_cast<std::uint32_t>(random()) % 4);
    }
    bodies.push_back(body);
  }
  Sequence sequence;
  for (int i = 0; i < 4; ++i) {
    append(sequence, bodies[static_cast<std::uint32_t>(random()) % bodies.size()],
           1 + static_cast<std::uint32_t>(random()) % 20);
    if (static_cast<std::uint32_t>(random()) % 3 == 0)
      sequence.push_back(static_cast<std::uint32_t>(random()) % 6);
  }
  return sequence;
}

TEST(Folder, KeepsEveryRandomProgram) {
  std::mt19937 random(42);
  for (int i = 0; i < 4000; ++i) {
    Sequence sequence;
    if (i % 4 == 0) {
      const std::uint32_t kinds = 1 + static_cast<std::uint32_t>(random()) % 6;
      for (std::uint32_t left = static_cast<std::uint32_t>(random()) % 300; left > 0; --left)
        sequence.push_back(static_cast<std::uint32_t>(random()) % kinds);
    } else {
      sequence = random_program(random);
    }
    folded(sequence, "random program " + std::to_string(i));
    if (HasFatalFailure()) return;
  }
}

std::size_t bytes_of_periodic(int events, const Sequence& period) {
  MemoryAccount account;
  Folder folder(account);
  for (int i = 0; i < events; ++i) {
    const std::uint32_t name = period[static_cast<std::size_t>(i) % period.size()];
    folder.append(event_named(name), name);
    folder.measured(1, 1);
  }
  return account.used.load();
}

TEST(Folder, TakesNoMoreMemoryForMorePeriods) {
  Sequence with_inner_loop{1};
  append(with_inner_loop, {2, 3}, 8);
  append(with_inner_loop, {4});
  for (const Sequence& period :
       {Sequence{1}, Sequence{1, 2}, Sequence{1, 2, 3, 1, 2, 4}, with_inner_loop}) {
    EXPECT_EQ(bytes_of_periodic(10'000, period), bytes_of_periodic(1'000'000, period));
  }
}

TEST(Folder, LeavesOutTheRestWhereMemoryIsShort) {
  std::mt19937 random(5);
  Sequence sequence;
  for (int i = 0; i < 100'000; ++i) sequence.push_back(static_cast<std::uint32_t>(random()) % 64);
  for (const std::size_t most :
       {std::size_t{0}, std::size_t{4000}, std::size_t{65536}, std::size_t{1} << 20U}) {
    MemoryAccount account;
    account.most = most;
    Folder folder(account);
    std::size_t appended = 0;
    for (const std::uint32_t name : sequence) {
      folder.append(event_named(name), name);
      folder.measured(1, 1);
      ++appended;
      if (appended % 9973 == 0) expect_holds(folder.stream(1), sequence, appended, "limited");
    }
    EXPECT_TRUE(folder.full());
    EXPECT_FALSE(folder.stream(1).omissions.empty());
    EXPECT_LE(account.used.load(), most + 140'000);  // what it had grown by when it was full
    expect_holds(folder.stream(1), sequence, appended, "limited");
  }
}

TEST(Folder, LeavesOutTheRestWhereListsAreTooLong) {
  MemoryAccount account;
  account.most = 40'000;
  Folder folder(account);
  Sequence sequence;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    Event event = event_named(i % 2);
    std::string list(1000, 'x');
    list[0] = static_cast<char>('0' + i % 2);
    list[1] = static_cast<char>(i < 100 ? 0 : i - 100);  // first a loop, then all different
    event.list = folder.list_number(list);
    folder.append(event, i % 2);
    sequence.push_back(i % 2);
  }
  EXPECT_TRUE(folder.full());
  expect_holds(folder.stream(1), sequence, sequence.size(), "lists");
  const ThreadStream stream = folder.stream(1);
  EXPECT_GE(stream.omissions.at(0).after_events, 100U);
}

TEST(Folder, GivesEqualListsOneNumber) {
  MemoryAccount account;
  Folder folder(account);
  EXPECT_EQ(folder.list_number(""), 0U);
  std::vector<std::uint32_t> numbers;
  for (int i = 0; i < 500; ++i) numbers.push_back(folder.list_number("list " + std::to_string(i)));
  for (int i = 0; i < 500; ++i) {
    const std::string list = "list " + std::to_string(i);
    EXPECT_EQ(folder.list_number(list), numbers[static_cast<std::size_t>(i)]);
    EXPECT_EQ(folder.stream(1).program.lists.at(numbers[static_cast<std::size_t>(i)]), list);
  }
}

}  // namespace
}  // namespace kith::timeline
