#!/usr/bin/env python3
"""The program as a whole: help, version, exit statuses, where output goes."""
import os
import re
import shutil
import subprocess

from help_test import UNLISTED
from kithcli import KITH, KithTest, main, write_mtx
from pseudo_terminal import on_terminal

SUBCOMMANDS = ("run", "map", "eval", "compare", "info", "report", "topo", "allocate", "gen",
               "convert", "predict", "probe", "profiles", "algorithms", "completion", "man")


class Program(KithTest):
    def test_version(self):
        self.assertRegex(self.call("--version").stdout,
                         r"^kith \d+\.\d+\.\d+\nbuilt (for [A-Z].* \d+\.\d+.*|without an MPI library)\n$")

        self.assertEqual(self.call("-V").stdout, self.call("--version").stdout)

    def test_version_names_the_mpi_library_built_for(self):
        compiler = shutil.which("mpicc.openmpi") or shutil.which("mpicc")
        if compiler is None:
            self.skipTest("no MPI compiler")
        said = subprocess.run([compiler, "--showme:version"], capture_output=True, text=True)
        version = re.search(r"Open MPI (\d+\.\d+\.\d+)", said.stdout + said.stderr)
        if version is None or "without" in self.call("--version").stdout:
            self.skipTest("not built for Open MPI")
        self.assertRegex(self.call("--version").stdout,
                         rf"\nbuilt for {re.escape(version[0])}(, MPICH \d+\.\d+.*)?\n")

    def test_help_lists_the_subcommands_and_only_them(self):
        text = self.call("--help").stdout
        self.assertEqual(text, self.call("-h").stdout)
        section = text.split("Subcommands:\n")[1].split("\n\n")[0]
        self.assertEqual(tuple(line.split()[0] for line in section.splitlines()), SUBCOMMANDS)
        for unlisted in ("engine", "study"):
            self.assertNotIn(unlisted, text)

    def test_every_subcommand_teaches_with_an_example(self):
        for name in (*SUBCOMMANDS, *UNLISTED):
            done = self.call(name, "--help")
            self.assertEqual(done.stderr, "")
            self.assertRegex(done.stdout, rf"Examples:\n(  .*\n)*  .*kith {name}")
            for line in done.stdout.splitlines():
                self.assertLessEqual(len(line), 100, f"{name}: {line}")

    def test_the_examples_name_options_that_exist(self):
        for name in (*SUBCOMMANDS, *UNLISTED):
            text = self.call(name, "--help").stdout
            options, example = text.split("Example", 1)
            known = set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", options))
            for line in example.splitlines():
                if not line.startswith(f"  kith {name} "):
                    continue
                command = line.split("#")[0].split(" -- ")[0].split(" | ")[0]
                used = set(re.findall(r"(?<![\w-])(--?[a-z][a-z-]*)", command))
                self.assertLessEqual(used, known, line)

    def test_studies_are_listed(self):
        listed = self.json("study")
        text = self.call("study").stdout
        self.assertIn("topolb", [entry["name"] for entry in listed])
        for entry in listed:
            self.assertEqual(set(entry), {"name", "summary", "source"})
            for words in entry.values():
                self.assertIn(words, text)

    def test_a_trace_named_like_a_subcommand(self):
        write_mtx("map", 2, {(0, 1): 7})
        self.assertEqual(self.json("info", "map")["bytes"], 7)

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([KITH, "algorithms"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr,
                         "kith: cannot write to standard output: No space left on device\n")

    def test_files_on_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        write_mtx("t.mtx", 4, {(0, 1): 7})
        of_trace = ("t.mtx", "--topology", "tree:2x2")
        for words in (("map", *of_trace), ("report", *of_trace), ("convert", "t.mtx", "--to", "csv"),
                      ("gen", "stencil2d", "--extents", "4x4", "--format", "mtx")):
            output = ("/dev/full",) if words[0] == "convert" else ("-o", "/dev/full")
            done = self.call(*words[:2], *output, *words[2:], status=3)
            self.assertEqual(done.stderr,
                             "kith: cannot write /dev/full: No space left on device\n")

    def test_closed_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        done = subprocess.run([KITH, "algorithms"], stdout=write_end, stderr=subprocess.PIPE,
                              text=True, timeout=60)
        os.close(write_end)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "kith: cannot write to standard output: Broken pipe\n")

    def test_closed_stderr_does_not_matter(self):
        done = subprocess.run(f"'{KITH}' algorithms 2>&-", shell=True, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertIn("eagermap", done.stdout)

    def test_progress_is_for_terminals(self):
        self.call("gen", "rmat", "--scale", "11", "-o", "r.mtx")
        search = ("r.mtx", "--topology", "tree:64x32", "--time-limit", "2")  # of hours
        for words, doing in ((("map", *search, "--algorithm", "mpipp"),
                              "mapping with mpipp, effort balanced, at most 2 s"),
                             (("compare", *search, "--algorithms", "mpipp"), "1 of 1: mpipp")):
            shown = on_terminal(*words, streams=("stdout", "stderr"))
            # Not before the first second.
            self.assertRegex(shown, rf"^\r\x1b\[Kkith: {doing}, [1-9]\d* s\r")
            begin, end = shown.rsplit("\r\x1b[K", 1)  # and leaves no trace
            self.assertEqual(begin.count("\n"), 0, repr(shown))
            self.assertNotIn(doing.split(",")[0] + ",", end)
            self.assertIn("ranks on tree:64x32", end)
        map_words = ("map", *search, "--algorithm", "mpipp")
        dumb = on_terminal(*map_words, streams=("stderr",), env={"TERM": "dumb"})
        for text in (dumb, self.call(*map_words).stderr):
            self.assertNotIn("\x1b", text)
            self.assertNotIn("mapping with", text)

    def test_progress_fits_the_terminal(self):
        self.call("gen", "rmat", "--scale", "11", "-o", "r.mtx")
        shown = on_terminal("map", "r.mtx", "--topology", "tree:64x32", "--time-limit", "2",
                            "--algorithm", "mpipp", streams=("stderr",), columns=28)
        self.assertRegex(shown, r"^\r\x1b\[Kkith: mapping with mpi, \d s\r\x1b\[K")

    def test_short_work_shows_no_progress(self):
        write_mtx("pair.mtx", 2, {(0, 1): 7})
        shown = on_terminal("map", "pair.mtx", "--topology", "tree:2", streams=("stderr",))
        self.assertNotIn("\x1b", shown)

    def test_words_after_the_end_of_options(self):
        write_mtx("pair.mtx", 2, {(0, 1): 7})
        self.assertEqual(self.call("info", "--json", "--", "pair.mtx").stdout,
                         self.call("info", "pair.mtx", "--json").stdout)

    def test_too_little_memory(self):
        # 16 million ranks within 200 MB.
        write_mtx("large.mtx", 16_000_000, {(0, 1): 1})
        done = subprocess.run(f"ulimit -v 200000; '{KITH}' map large.mtx --topology tree:16000000",
                              shell=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("memory", done.stderr)

    def test_messages_to_stderr_results_to_stdout(self):
        write_mtx("pair.mtx", 2, {(0, 1): 7})
        done = self.call("map", "pair.mtx", "--topology", "tree:2")
        self.assertTrue(done.stdout.startswith("# kith mapping ranks=2 "))
        self.assertTrue(all(line.startswith("kith: ") for line in done.stderr.splitlines()))
        self.assertIn("2 ranks on tree:2 ", done.stderr)
        self.assertEqual(self.call("map", "pair.mtx", "--topology", "tree:2", "--json").stderr, "")


if __name__ == "__main__":
    main()
