#include "profile/profile.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <iterator>

#include "core/this_process.hpp"
#include "unit/profile/profile_samples.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

ProfileSettings settings_of(const TempDirectory& folder) {
  ProfileSettings settings;
  settings.home = folder / "home";
  return settings;
}

std::vector<std::string> names(const ProfileStore& store) {
  std::vector<std::string> found;
  for (const ListedProfile& profile : store.list()) found.push_back(profile.name);
  return found;
}

/// `hours` ago.
void make_old(const fs::path& file, int hours) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

TEST(ProfileStore, SavesAndFinds) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  EXPECT_TRUE(store.list().empty());
  store.prepare();
  const Profile profile = sample_profile();
  EXPECT_FALSE(store.find(profile.key).profile);
  EXPECT_EQ(store.find(profile.key).damage, "");
  store.save(profile);
  const FoundProfile found = store.find(profile.key);
  ASSERT_TRUE(found.profile);
  EXPECT_EQ(found.profile->history.runs, 3U);
  EXPECT_TRUE(same(found.profile->traffic, profile.traffic));
  EXPECT_THAT(names(store), ::testing::ElementsAre(profile.key.name));
  EXPECT_TRUE(store.remove(profile.key.name));
  EXPECT_FALSE(store.remove(profile.key.name));
  EXPECT_FALSE(store.remove("../home/profiles/" + profile.key.name));
}

TEST(ProfileStore, IsNobodyElsesBusiness) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  struct stat status {};
  ASSERT_EQ(::stat(store.folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST(ProfileStore, WhereNoneCanBe) {
  const TempDirectory folder;
  expect_error([] { const ProfileStore store(ProfileSettings{}); }, {"KITH_HOME", "HOME"},
               ErrorKind::environment);
  ProfileSettings settings;
  settings.home = folder.write("file", "") / "below";
  const ProfileStore store(settings);
  expect_error([&] { store.prepare(); }, {"cannot write into", "file/below/profiles"},
               ErrorKind::environment);
}

TEST(ProfileStore, ACopyOfTheProgramFindsIt) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  store.save(sample_profile());
  const ProfileKey copy = key_of({{4, "/else/app", "b1", {"-x"}}}, {});
  const FoundProfile found = store.find(copy);
  ASSERT_TRUE(found.profile);
  EXPECT_EQ(found.profile->key.name, copy.name);
  EXPECT_FALSE(store.find(key_of({{4, "/else/app", "b2", {"-x"}}}, {})).profile) << "other build";
  EXPECT_FALSE(store.find(key_of({{4, "/else/app", "b1", {"-y"}}}, {})).profile) << "other work";
  EXPECT_FALSE(store.find(key_of({{8, "/else/app", "b1", {"-x"}}}, {})).profile) << "other ranks";
}

Profile with_arguments(std::vector<std::string> arguments, std::uint64_t last_seen = 2000) {
  Profile profile = sample_profile();
  profile.key = key_of({{4, "/bin/app", "b1", std::move(arguments)}}, {});
  profile.history.last_seen = last_seen;
  return profile;
}

TEST(ProfileStore, ArgumentsThatMakeNoDifference) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  Profile profile = with_arguments({"in.lj", "out.1"});
  store.save(profile);
  const ProfileKey next = with_arguments({"in.lj", "out.2"}).key;
  EXPECT_FALSE(store.find(next).profile) << "they count until it is known";
  ASSERT_EQ(store.relatives(next).size(), 1U);
  EXPECT_EQ(store.relatives(next)[0].key.name, profile.key.name);
  profile.key.free_arguments = {1};
  store.save(profile);
  const FoundProfile found = store.find(next);
  ASSERT_TRUE(found.profile);
  EXPECT_EQ(found.profile->key.name, profile.key.name);
  EXPECT_THAT(found.profile->key.free_arguments, ::testing::ElementsAre(1));
  EXPECT_EQ(store.relatives(next).size(), 1U) << "it may yet differ in its traffic";
  EXPECT_FALSE(store.find(with_arguments({"in.eam", "out.2"}).key).profile) << "the other counts";
  store.save(with_arguments({"in.lj", "out.2"}));
  EXPECT_EQ(store.find(next).profile->key.name, next.name) << "its own comes first";
  EXPECT_TRUE(store.relatives(with_arguments({"a", "b", "c"}).key).empty());
  EXPECT_TRUE(store.find(key_of({{4, "/bin/app", "b2", {"in.lj", "out.3"}}}, {})).profile)
      << "built anew";
  EXPECT_FALSE(store.find(key_of({{4, "/else/app", "b2", {"in.lj", "out.3"}}}, {})).profile)
      << "another build elsewhere";
}

TEST(ProfileStore, OfSeveralThatMayBeItTheOneUsedLast) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  std::string newest;
  for (const std::uint64_t seen : {1000U, 3000U, 2000U}) {
    Profile profile = with_arguments({std::to_string(seen), "b"}, seen);
    profile.key.free_arguments = {0};
    store.save(profile);
    if (seen == 3000) newest = profile.key.name;
  }
  EXPECT_EQ(store.find(with_arguments({"new", "b"}).key).profile->key.name, newest);
}

TEST(ProfileStore, RelativesUsedLastComeFirst) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  store.save(with_arguments({"1", "b", "c", "d"}, 1000));
  store.save(with_arguments({"2", "b", "c", "d"}, 3000));
  store.save(with_arguments({"3", "y", "z", "u"}, 4000));  // four differ
  const auto found = store.relatives(with_arguments({"0", "b", "c", "d"}).key);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].history.last_seen, 3000U);
}

TEST(UnfinishedRuns, AreKnownUntilTheyEnd) {
  const TempDirectory folder;
  const ProfileSettings settings = settings_of(folder);
  ProfileStore(settings).prepare();
  const UnfinishedRuns runs(settings);
  const std::string a = "app-4-00000001";
  const std::string b = "app-4-00000002";
  EXPECT_FALSE(runs.earlier(a));
  runs.begin(a);
  ASSERT_TRUE(runs.earlier(a));
  const auto now = static_cast<std::uint64_t>(std::time(nullptr));
  EXPECT_LE(now - *runs.earlier(a), 60U);
  EXPECT_FALSE(runs.earlier(b));
  runs.end(a);
  EXPECT_FALSE(runs.earlier(a));
  runs.end(a);

  const fs::path notes = settings.home / "unfinished";
  for (const char* const other : {"app-4-00000001", "a note of mine"}) {
    std::ofstream(notes / other).put('\n');
    make_old(notes / other, 61 * 24);
  }
  runs.begin(b);
  EXPECT_FALSE(runs.earlier(a)) << "two months old";
  EXPECT_TRUE(runs.earlier(b));
  EXPECT_TRUE(fs::exists(notes / "a note of mine"));
}

TEST(ProfileStore, ADamagedOneIsNone) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  const Profile profile = sample_profile();
  store.save(profile);
  const fs::path file = store.path_of(profile.key.name);
  fs::resize_file(file, fs::file_size(file) - 3);
  EXPECT_FALSE(store.find(profile.key).profile);
  EXPECT_THAT(store.find(profile.key).damage, ::testing::HasSubstr(file.string()));
  ASSERT_EQ(store.list().size(), 1U);
  // Another program's under this name: as if two names had one digest.
  Profile other = sample_profile("other");
  write_profile(file, other);
  EXPECT_FALSE(store.find(profile.key).profile);
  EXPECT_THAT(store.find(profile.key).damage, ::testing::HasSubstr("another program"));
}

TEST(ProfileStore, EvictsWhatWasUsedLeastLately) {
  const TempDirectory folder;
  ProfileSettings settings = settings_of(folder);
  settings.most_profiles = 3;
  const ProfileStore store(settings);
  store.prepare();
  int age = 10;
  for (const char* const program : {"a", "b", "c"}) {
    const Profile profile = sample_profile(program);
    store.save(profile);
    make_old(store.path_of(profile.key.name), age--);
  }
  store.save(sample_profile("a"));  // used again
  store.save(sample_profile("d"));
  EXPECT_THAT(names(store),
              ::testing::ElementsAre(::testing::StartsWith("a-"), ::testing::StartsWith("c-"),
                                     ::testing::StartsWith("d-")));
}

TEST(ProfileStore, KeepsToItsBytes) {
  const TempDirectory folder;
  ProfileSettings settings = settings_of(folder);
  {
    const ProfileStore store(settings);
    store.prepare();
    store.save(sample_profile("a"));
    make_old(store.path_of(sample_profile("a").key.name), 1);
  }
  const std::uint64_t one = ProfileStore(settings).list()[0].bytes;
  settings.most_bytes = 2 * one - 1;
  const ProfileStore small(settings);
  small.save(sample_profile("b"));
  EXPECT_THAT(names(small), ::testing::ElementsAre(::testing::StartsWith("b-")));
  settings.most_bytes = one - 1;
  const ProfileStore tiny(settings);
  expect_error([&] { tiny.save(sample_profile("c")); }, {"KITH_PROFILE_BYTES"});
  EXPECT_THAT(names(tiny), ::testing::ElementsAre(::testing::StartsWith("b-")));
}

TEST(ProfileStore, LeavesOtherFilesAlone) {
  const TempDirectory folder;
  ProfileSettings settings = settings_of(folder);
  settings.most_profiles = 1;
  const ProfileStore store(settings);
  store.prepare();
  const std::string abandoned = "home/profiles/x-4-1.mtx.tmp-77-0";
  for (const char* const other : {"home/profiles/notes.txt", "home/profiles/.x.mtx",
                                  "home/profiles/a b.mtx", "home/profiles/y.mtx.bak"}) {
    make_old(folder.write(other, "mine"), 100);
  }
  make_old(folder.write(abandoned, "half"), 2);
  folder.write("home/profiles/x-4-1.mtx.tmp-78-0", "being written");
  store.save(sample_profile());
  EXPECT_EQ(names(store).size(), 1U);
  for (const char* const other :
       {"notes.txt", ".x.mtx", "a b.mtx", "y.mtx.bak", "x-4-1.mtx.tmp-78-0"}) {
    EXPECT_TRUE(fs::exists(store.folder() / other)) << other;
  }
  EXPECT_FALSE(fs::exists(folder / abandoned));
}

/// As a job leaves it for the store.
fs::path new_timeline(const ProfileStore& store, const std::string& name, const std::string& text) {
  const fs::path folder = store.timeline_of(name).string() + ".tmp-host-7";
  fs::create_directories(folder / "timeline");
  std::ofstream(folder / "timeline" / "host-000000.timeline") << text;
  return folder;
}

std::string timeline_text(const ProfileStore& store, const std::string& name) {
  std::ifstream file(store.timeline_of(name) / "timeline" / "host-000000.timeline");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ProfileStore, ATimelineStaysWithItsProfile) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  const Profile profile = sample_profile();
  const std::string& name = profile.key.name;
  store.save(profile);
  const std::uint64_t alone = store.list()[0].bytes;
  EXPECT_FALSE(store.has_timeline(name));
  EXPECT_EQ(store.list()[0].timeline_bytes, 0U);
  for (const std::string text : {"first", "second"}) {
    store.save(profile, new_timeline(store, name, text));
    EXPECT_EQ(timeline_text(store, name), text);
  }
  store.save(profile);  // a later run has none
  EXPECT_EQ(timeline_text(store, name), "second");
  ASSERT_EQ(store.list().size(), 1U);
  EXPECT_EQ(store.list()[0].timeline_bytes, 6U);
  EXPECT_EQ(store.list()[0].bytes, alone + 6);
  EXPECT_TRUE(store.find(profile.key).profile);
  EXPECT_TRUE(store.remove(name));
  EXPECT_TRUE(fs::is_empty(store.folder()));
}

TEST(ProfileStore, TimelinesCountAndGoWithTheirProfiles) {
  const TempDirectory folder;
  ProfileSettings settings = settings_of(folder);
  const std::string a = sample_profile("a").key.name;
  const std::string b = sample_profile("b").key.name;
  {
    const ProfileStore store(settings);
    store.prepare();
    store.save(sample_profile("a"), new_timeline(store, a, std::string(1000, 'a')));
    make_old(store.path_of(a), 1);
    settings.most_bytes = 2 * store.list()[0].bytes - 1;
  }
  const ProfileStore store(settings);
  store.save(sample_profile("b"), new_timeline(store, b, std::string(1000, 'b')));
  EXPECT_THAT(names(store), ::testing::ElementsAre(b));
  EXPECT_FALSE(store.has_timeline(a));
  EXPECT_TRUE(store.has_timeline(b));
  // One that is too large for the store: the profile stays without.
  store.save(sample_profile("b"), new_timeline(store, b, std::string(3000, 'b')));
  EXPECT_THAT(names(store), ::testing::ElementsAre(b));
  EXPECT_FALSE(store.has_timeline(b));
}

TEST(ProfileStore, RemovesTimelinesWithoutAProfile) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  for (const char* const name : {"x-4-1.timeline", "x-4-1.timeline.tmp-h-8"}) {
    fs::create_directory(store.folder() / name);
    make_old(store.folder() / name, 2);
  }
  for (const char* const name : {"y-4-1.timeline", "x-4-1.timeline.tmp-h-9", "mine"}) {
    fs::create_directory(store.folder() / name);
  }
  make_old(store.folder() / "mine", 100);
  store.save(sample_profile());
  EXPECT_FALSE(fs::exists(store.folder() / "x-4-1.timeline"));
  EXPECT_FALSE(fs::exists(store.folder() / "x-4-1.timeline.tmp-h-8"));
  for (const char* const name : {"y-4-1.timeline", "x-4-1.timeline.tmp-h-9", "mine"}) {
    EXPECT_TRUE(fs::exists(store.folder() / name)) << name;
  }
  EXPECT_EQ(names(store).size(), 1U);
}

TEST(ProfileStore, NamesMayEndLikeFiles) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  const Profile profile = sample_profile("app.mtx.tmp-1.timeline");
  store.save(profile, new_timeline(store, profile.key.name, "t"));
  EXPECT_THAT(names(store), ::testing::ElementsAre(profile.key.name));
  EXPECT_EQ(timeline_text(store, profile.key.name), "t");
}

TEST(ProfileStore, AFullDiskLeavesTheOldOne) {
  const TempDirectory folder;
  const ProfileStore store(settings_of(folder));
  store.prepare();
  store.save(sample_profile());
  Profile larger = sample_profile();
  larger.traffic = random_matrix(64, 4000, 1);
  larger.key.ranks = 64;
  const FileSizeSignalBlocked guard;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(store.save(larger), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(std::distance(fs::directory_iterator(store.folder()), {}), 1);
  EXPECT_TRUE(store.find(sample_profile().key).profile);
}

TEST(ProfileStore, ConcurrentJobsNeverSeeHalfAProfile) {
  const TempDirectory folder;
  ProfileSettings settings = settings_of(folder);
  const ProfileStore store(settings);
  store.prepare();
  const auto variant = [](Weight bytes) {
    Profile profile = sample_profile("app", bytes);
    profile.key.ranks = 64;
    profile.traffic = ring(64, bytes);
    return profile;
  };
  const ProfileKey key = variant(1).key;
  store.save(variant(1));
  std::vector<pid_t> writers;
  for (const Weight bytes : {3, 99999}) {
    writers.push_back(::fork());
    if (writers.back() != 0) continue;
    try {
      for (int i = 0; i < 100; ++i) store.save(variant(bytes));
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  for (int i = 0; i < 200; ++i) {
    const FoundProfile found = store.find(key);
    ASSERT_TRUE(found.profile) << found.damage;
    const Weight total = found.profile->traffic.total(true);
    EXPECT_TRUE(total == 64 || total == 64 * 3 || total == 64 * 99999) << total;
  }
  for (const pid_t writer : writers) {
    int status = -1;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(store.folder()), {}), 1);
}

}  // namespace
}  // namespace kith
