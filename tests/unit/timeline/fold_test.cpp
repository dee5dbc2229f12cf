#include "timeline/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
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

/// How much of the stream lies before each item of its outermost rule, and at its end.
std::set<std::uint64_t> borders(const ThreadStream& stream) {
  const std::vector<std::uint64_t> length = lengths(stream.program);
  std::set<std::uint64_t> found{0};
  for (const Item& item : stream.program.rules.front().items) {
    found.insert(*found.rbegin() + item.repeats * (item.is_rule ? length[item.index] : 1));
  }
  return found;
}

/// The stream has what was appended except for its omissions, which say how much that is, and lie
/// between items.
void expect_holds(const ThreadStream& stream, const Sequence& sequence, std::size_t appended,
                  const std::string& what) {
  std::uint64_t sent = 0;
  for (std::size_t i = 0; i < appended; ++i) sent += sequence[i];
  ASSERT_EQ(stream.events, appended) << what;
  ASSERT_EQ(stream.bytes, sent) << what;
  Sequence kept;
  std::size_t at = 0;
  const auto keep_until = [&](std::size_t end) {
    kept.insert(kept.end(), sequence.begin() + static_cast<std::ptrdiff_t>(at),
                sequence.begin() + static_cast<std::ptrdiff_t>(end));
    at = end;
  };
  for (const Omission& omission : stream.omissions) {
    ASSERT_GE(omission.after_events, kept.size()) << what;
    ASSERT_TRUE(borders(stream).contains(omission.after_events)) << what;
    keep_until(at + omission.after_events - kept.size());
    ASSERT_LE(at + omission.events, appended) << what;
    std::uint64_t bytes = 0;
    for (const std::size_t end = at + omission.events; at < end; ++at) bytes += sequence[at];
    ASSERT_EQ(omission.bytes, bytes) << what;
  }
  keep_until(appended);
  ASSERT_EQ(unrolled(stream), kept) << what;
}

/// No event's times are lost, and none counts twice; `before` and `inside` were measured in total.
void expect_times(const ThreadStream& stream, double before, double inside,
                  const std::string& what) {
  std::uint64_t timed = 0;
  double sum_before = 0;
  double sum_inside = 0;
  double sum_asleep = 0;
  for (const PositionTimes& times : stream.times) {
    timed += times.timed + (times.has_first ? 1 : 0);
    sum_before += times.before.sum + (times.has_first ? times.first_before : 0);
    sum_inside += times.inside.sum + (times.has_first ? times.first_inside : 0);
    sum_asleep += times.asleep + times.first_asleep;
    if (times.timed == 0) continue;
    const auto count = static_cast<double>(times.timed);
    ASSERT_LE(times.before.least, times.before.sum / count) << what;
    ASSERT_GE(times.before.most, times.before.sum / count) << what;
  }
  ASSERT_EQ(timed, stream.events) << what;
  ASSERT_DOUBLE_EQ(sum_before, before) << what;
  ASSERT_DOUBLE_EQ(sum_inside, inside) << what;
  ASSERT_NEAR(sum_asleep, 3 * before, 3e-6 * before) << what;
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
    folder.measured(gap, 20, 3 * gap);
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

/// The rule of lib/timeline/README.md.
TEST(Folder, KeepsTheBeginningAndWindowsAtGrowingDistances) {
  std::mt19937 random(6);
  Sequence sequence;
  for (int i = 0; i < 1'000'000; ++i) sequence.push_back(static_cast<std::uint32_t>(random()) % 64);
  MemoryAccount account;
  Folder folder(account);
  std::size_t used_at_first_omission = 0;
  for (const std::uint32_t name : sequence) {
    folder.append(event_named(name), name);
    if (folder.full() && used_at_first_omission == 0) used_at_first_omission = account.used;
  }
  const ThreadStream stream = folder.stream(1);
  expect_holds(stream, sequence, sequence.size(), "windows");
  EXPECT_GE(used_at_first_omission, account.most / 4 * 3);
  EXPECT_LE(used_at_first_omission, account.most / 8 * 7);
  const auto& omissions = stream.omissions;
  ASSERT_GE(omissions.size(), 5U);
  EXPECT_LE(omissions[0].events, omissions[0].after_events);  // what loops foresaw does not count
  EXPECT_GE(omissions[0].events, omissions[0].after_events / 2);
  for (std::size_t i = 1; i < omissions.size(); ++i) {
    const std::uint64_t window = omissions[i].after_events - omissions[i - 1].after_events;
    EXPECT_LE(window, omissions[0].events / 16);
    if (i + 1 == omissions.size()) break;  // the memory was used up somewhere in the last one
    EXPECT_EQ(omissions[i].events, 2 * omissions[i - 1].events);
    EXPECT_GE(window, omissions[0].events / 48);
  }
  EXPECT_LE(account.used.load(), account.most + 140'000);
}

TEST(Folder, KeepsALoopThatIsUnderWayInAWindow) {
  std::mt19937 random(7);
  Sequence sequence;
  for (int i = 0; i < 60'000; ++i) sequence.push_back(static_cast<std::uint32_t>(random()) % 64);
  append(sequence, {1, 2, 3, 4}, 250'000);
  MemoryAccount account;
  Folder folder(account);
  for (const std::uint32_t name : sequence) folder.append(event_named(name), name);
  const ThreadStream stream = folder.stream(1);
  expect_holds(stream, sequence, sequence.size(), "a loop");
  std::uint64_t omitted = 0;
  for (const Omission& omission : stream.omissions) omitted += omission.events;
  EXPECT_GT(omitted, 0U);
  EXPECT_LT(omitted, 200'000U);
}

/// Lists of events that are left out take no room; those of windows are there, and so are those
/// that were made for later.
TEST(Folder, ListsOfWindowsAreKept) {
  MemoryAccount account;
  Folder folder(account);
  std::mt19937 random(8);
  std::vector<std::string> expected;
  std::uint32_t lasting = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string list = "list " + std::to_string(random() % 500);
    Event event = event_named(static_cast<std::uint32_t>(random()) % 16);
    if (lasting == 0 && folder.full() && !folder.is_keeping()) {
      EXPECT_EQ(folder.list_number("for later"), 0U);
      lasting = folder.list_number("for later", true);
      EXPECT_NE(lasting, 0U);
    }
    const bool is_kept = folder.is_keeping();
    event.list = folder.list_number(list);
    const bool had_room = event.list != 0;
    folder.append(event, 1);
    if (is_kept && had_room && folder.is_keeping()) expected.push_back(list);
  }
  const ThreadStream stream = folder.stream(1);
  EXPECT_GE(stream.omissions.size(), 4U);
  EXPECT_EQ(stream.program.lists.at(lasting), "for later");
  std::vector<std::string> found;
  for_each_event(stream, [&](const Step& step) {
    found.push_back(stream.program.lists.at(step.event->list));
  });
  EXPECT_EQ(found, expected);
}

std::uint64_t clock_of_test = 0;
std::uint64_t read_clock_of_test() {
  return clock_of_test;
}

TEST(Folder, SaysHowLongWhatItLeavesOutTook) {
  clock_of_test = 1000;
  std::mt19937 random(9);
  MemoryAccount account;
  account.most = std::size_t{128} << 10U;
  Folder folder(account, read_clock_of_test);
  double kept = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t before = random() % 100;
    const std::uint64_t inside = random() % 100;
    clock_of_test += before + inside;  // its call ends
    const bool was_keeping = folder.is_keeping();
    folder.append(event_named(static_cast<std::uint32_t>(random()) % 64), 1);
    folder.measured(before, inside);
    if (was_keeping && folder.is_keeping()) kept += static_cast<double>(before + inside);
  }
  const ThreadStream stream = folder.stream(2, clock_of_test);  // ticks of 2 ns
  ASSERT_GE(stream.omissions.size(), 3U);
  double omitted = 0;
  for (const Omission& omission : stream.omissions) omitted += omission.seconds;
  const double all = static_cast<double>(clock_of_test - 1000) * 2e-9;
  EXPECT_NEAR(omitted, all - kept * 2e-9, 1e-12);
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
