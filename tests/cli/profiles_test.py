#!/usr/bin/env python3
"""kith profiles: list, show, rm."""
import json
import os
import pathlib
import shutil

from kithcli import KithTest, main, read_mtx

HEADER = """%%MatrixMarket matrix coordinate integer general
% kith profile 1
% name {name}
% program /bin/app
% arguments -n 10
% work 0123456789abcdef
% build fedcba9876543210
% ranks 4
% runs 3
% reordered 2
% renewed 1
% first_seen 1700000000
% last_seen 1700009000
% predicted 0.25
% measured -
% check {check}
4 4 2
1 2 100
2 1 300
"""
NAMES = ("app-4-11111111", "app-4-22222222", "lmp-4-33333333")


class Profiles(KithTest):
    def setUp(self):
        super().setUp()
        self.store = pathlib.Path("home/profiles")
        self.store.mkdir(parents=True)
        for name in NAMES:
            self.put(name)
        self.env = {"KITH_HOME": "home"}

    def put(self, name):
        file = self.store / f"{name}.mtx"
        file.write_text(HEADER.format(name=name, check="0" * 16))
        return file

    def names(self):
        return sorted(path.name.removesuffix(".mtx") for path in self.store.iterdir())

    def test_list(self):
        for words in (("profiles",), ("profiles", "list")):
            text = self.call(*words, env=self.env).stdout.splitlines()
            self.assertEqual(text[0].split()[:3], ["name", "ranks", "runs"])
            self.assertEqual([line.split()[0] for line in text[1:]], list(NAMES))
            self.assertEqual(text[1].split()[1:5], ["4", "3", "0.250", "-"])
        found = self.json("profiles", "list", env=self.env)
        self.assertEqual([row["name"] for row in found], list(NAMES))
        self.assertEqual(found[0]["file"], os.path.abspath(f"home/profiles/{NAMES[0]}.mtx"))
        self.assertEqual({key: found[0][key] for key in
                          ("program", "arguments", "ranks", "runs", "reordered", "renewed",
                           "first_seen", "last_seen", "predicted", "measured", "build")},
                         {"program": "/bin/app", "arguments": "-n 10", "ranks": 4, "runs": 3,
                          "reordered": 2, "renewed": 1, "first_seen": 1700000000,
                          "last_seen": 1700009000, "predicted": 0.25, "measured": None,
                          "build": "fedcba9876543210"})
        self.assertEqual(found[0]["free_arguments"], [])
        shown = self.call("profiles", env=self.env).stdout.splitlines()
        self.assertRegex(shown[0], "planned +sent .*arguments$")
        self.assertTrue(shown[1].endswith("  -n 10"), shown[1])

    def test_none(self):
        for home in ("nowhere", "home"):
            shutil.rmtree("home")
            pathlib.Path("home").mkdir()
            done = self.call("profiles", env={"KITH_HOME": home})
            self.assertEqual(done.stdout, "")
            self.assertIn(f"no profiles in {os.path.abspath(home)}/profiles", done.stderr)
            self.assertEqual(self.json("profiles", "list", env={"KITH_HOME": home}), [])

    def test_show(self):
        for name in (NAMES[2], "lmp", NAMES[0]):
            text = self.call("profiles", "show", name, env=self.env).stdout
            self.assertIn("/bin/app", text)
            self.assertIn("3, of them 2 reordered; 1 found another pattern", text)
            self.assertEqual(self.json("profiles", "show", name, env=self.env)["ranks"], 4)

    def test_a_name_without_show(self):
        self.refused("profiles", "app-4-11111111", says=["(kith profiles show app-4-11111111)"])

    def test_show_by_the_command_line(self):
        file = self.put("new-4-44444444")
        file.write_text(file.read_text().replace("arguments -n 10", "arguments out.7"))
        found = self.json("profiles", "show", "app out.7", env=self.env)
        self.assertEqual(found["name"], "new-4-44444444")
        found = self.json("profiles", "show", "out.7", "bin/app", env=self.env)
        self.assertEqual(found["name"], "new-4-44444444")
        self.refused("profiles", "show", "/bin/app", says=["'/bin/app', which ", NAMES[0]], env=self.env)  # of all
        self.refused("profiles", "show", "out.7", "nosuch", says="'out.7 nosuch'", env=self.env)
        self.refused("profiles", "show", "out.8", says="out.8", env=self.env)

    def test_others_read_it(self):
        file = self.store / f"{NAMES[0]}.mtx"
        self.assertEqual(read_mtx(file)[1], {(0, 1): 100, (1, 0): 300})
        self.assertEqual(self.json("info", file)["bytes"], 400)
        self.assertEqual(len(self.json("map", file, "--topology", "tree:2x2")["mapping"]), 4)

    def test_rm(self):
        self.call("profiles", "rm", NAMES[0], "lmp", env=self.env)
        self.assertEqual(self.names(), [NAMES[1]])
        self.put(NAMES[0])
        (self.store / "notes.txt").write_text("mine")
        self.assertEqual(self.json("profiles", "rm", "--all", env=self.env), {"removed": 2})
        self.assertEqual(self.names(), ["notes.txt"])

    def test_a_timeline_belongs_to_its_profile(self):
        folder = self.store / f"{NAMES[0]}.timeline"
        folder.mkdir()
        (folder / "bytes").write_text("1234\n")
        found = self.json("profiles", "list", env=self.env)
        self.assertEqual([row["name"] for row in found], list(NAMES))
        self.assertEqual([row["timeline_bytes"] for row in found], [1234, 0, 0])
        self.assertEqual(found[0]["bytes"], found[1]["bytes"] + 1234)
        text = self.call("profiles", "show", NAMES[0], env=self.env).stdout
        self.assertRegex(text, r"timeline +1234 bytes")
        self.call("profiles", "rm", NAMES[0], env=self.env)
        self.assertEqual(self.names(), list(NAMES[1:]))

    def test_all_or_none_go(self):
        self.refused("profiles", "rm", NAMES[0], "nonsense", says=["NAME", "nonsense"],
                     env=self.env)
        self.assertEqual(self.names(), list(NAMES))

    def test_damaged(self):
        (self.store / f"{NAMES[1]}.mtx").write_text("%%MatrixMarket \n% kith profile 9\n")
        found = self.json("profiles", "list", env=self.env)
        self.assertIn("version 1 to 6", found[1]["damage"])
        self.assertIn("damaged", self.call("profiles", env=self.env).stdout)
        self.refused("profiles", "show", NAMES[1], says=[NAMES[1], "damaged"], env=self.env)
        self.call("profiles", "rm", NAMES[1], env=self.env)
        self.assertEqual(self.names(), [NAMES[0], NAMES[2]])

    def test_hostile(self):
        file = self.store / f"{NAMES[0]}.mtx"
        file.write_text(HEADER.format(name="../../x", check="0").replace(
            "/bin/app", "/bin/\x1b[31mred\x07"))
        (self.store / "a b.mtx").write_text("not ours")
        os.symlink("/etc/passwd", self.store / "link-1-0.mtx")
        os.mkfifo(self.store / "pipe-1-0.mtx")
        text = self.call("profiles", "show", NAMES[0], env=self.env).stdout
        self.assertNotIn("\x1b", text)
        self.assertEqual([row["name"] for row in self.json("profiles", "list", env=self.env)],
                         list(NAMES))
        self.refused("profiles", "rm", "../notes", says="NAME", env=self.env)

    def test_bad_input(self):
        for words, says in (
                (["profiles", "lst"], ["kith profiles", "did you mean list?"]),
                (["profiles", "show"], ["kith profiles show", "one NAME"]),
                (["profiles", "show", "app-4"], ["NAME", NAMES[0], NAMES[1]]),
                (["profiles", "show", "lnp-4-33333333"], [f"did you mean {NAMES[2]}?"]),
                (["profiles", "show", ""], ["NAME"]),
                (["profiles", "rm"], ["kith profiles rm", "--all"]),
                (["profiles", "rm", NAMES[0], "--all"], ["kith profiles rm", "both"]),
                (["profiles", "list", "--all"], ["--all"]),
                (["profiles", "list", "x"], ["kith profiles list", "'x'"]),
                (["profiles", "list", "--jsn"], ["did you mean --json?"])):
            self.refused(*words, says=says, env=self.env)
        home = {"KITH_HOME": "", "HOME": "", "XDG_STATE_HOME": ""}
        self.refused("profiles", "list", says=["KITH_HOME", "HOME"], status=3, env=home)

    def test_settings_that_are_wrong(self):
        done = self.call("profiles", env={**self.env, "KITH_PROFILE_COUNT": "many"})
        self.assertIn("KITH_PROFILE_COUNT: expected a number of profiles", done.stderr)
        self.assertIn("100 is used", done.stderr)


if __name__ == "__main__":
    main()
