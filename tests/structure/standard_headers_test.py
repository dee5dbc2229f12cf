#!/usr/bin/env python3
"""What our sources use of the standard library they include, themselves or through headers of ours:
what a standard header brings along differs from one compiler to the next (GCC 14 brings less).

Run without arguments: checks this tree, then that uses planted in a copy of its text are found.
"""
import pathlib
import re
import sys

from source_tree import ROOT, Tree

C_SUFFIXES = (".c", ".h")

# Header: what in the text needs it. C's name of a header serves as well (<stdint.h>, <cstdint>).
ALGORITHMS = """adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if
    equal equal_range fill fill_n find find_first_of find_if find_if_not for_each generate includes
    inplace_merge is_heap is_permutation is_sorted lexicographical_compare lower_bound make_heap max
    max_element merge min min_element minmax minmax_element mismatch move_backward none_of
    nth_element partial_sort partition partition_point pop_heap push_heap remove_if replace reverse
    rotate search set_difference set_intersection set_union shuffle sort sort_heap stable_partition
    stable_sort swap_ranges transform unique unique_copy upper_bound""".split()
TEMPLATES = {  # std::NAME< or std::NAME(
    "array": "array to_array", "atomic": "atomic atomic_ref", "bit": "bit_cast bit_ceil bit_floor "
    "bit_width countl_zero countr_zero has_single_bit popcount rotl", "deque": "deque",
    "functional": "function greater hash less plus", "initializer_list": "initializer_list",
    "iterator": "advance back_inserter distance front_inserter inserter istreambuf_iterator "
    "make_move_iterator next ostream_iterator prev", "limits": "numeric_limits", "list": "list",
    "map": "map multimap", "memory": "allocator make_shared make_unique shared_ptr unique_ptr "
    "weak_ptr", "numeric": "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm "
    "midpoint partial_sum reduce transform_reduce", "optional": "make_optional optional",
    "queue": "priority_queue queue", "set": "multiset set", "span": "span as_bytes",
    "stack": "stack", "tuple": "apply make_tuple tuple", "type_traits": "conditional_t "
    "decay_t enable_if_t invoke_result_t is_arithmetic_v is_integral_v is_same_v is_signed_v "
    "is_trivially_copyable_v make_unsigned_t remove_cvref_t underlying_type_t void_t",
    "unordered_map": "unordered_map", "unordered_set": "unordered_set",
    "utility": "cmp_less exchange index_sequence integer_sequence make_index_sequence",
    "variant": "get_if holds_alternative variant visit", "vector": "vector",
}
TYPES = {  # std::NAME
    "array": (), "chrono": "chrono", "complex": "complex", "condition_variable":
    "condition_variable", "compare": "strong_ordering weak_ordering partial_ordering", "cstddef":
    "byte max_align_t nullptr_t", "exception": "exception exception_ptr "
    "current_exception", "filesystem": "filesystem", "fstream": "ifstream ofstream fstream",
    "future": "async future promise", "iostream": "cin cout cerr", "mutex": "call_once lock_guard "
    "mutex once_flag recursive_mutex scoped_lock unique_lock", "new": "bad_alloc nothrow",
    "optional": "nullopt", "random": "mt19937 mt19937_64 random_device "
    "uniform_int_distribution", "regex": "regex", "shared_mutex": "shared_mutex", "sstream":
    "istringstream ostringstream stringstream", "stdexcept": "domain_error invalid_argument "
    "length_error logic_error out_of_range runtime_error", "string": "string stod stoi stoul "
    "to_string", "string_view": "string_view", "system_error": "error_code generic_category "
    "system_category system_error", "thread": "jthread this_thread thread", "typeinfo": "type_info",
}
IN_C = {  # with or without std::
    "assert": r"\bassert\(", "ctype": r"\bis(alnum|alpha|digit|space|upper|lower)\(",
    "errno": r"\berrno\b", "float": r"\b(DBL|FLT)_(MAX|MIN|EPSILON)\b",
    "limits": r"\b(U?(INT|LONG|LLONG|SHRT)|CHAR)_(MAX|MIN)\b",
    "math": r"\b(std::|(?<![\w:.>]))(a?(sin|cos|tan)|atan2|sqrt|cbrt|pow|exp|exp2|log|log2|log10|"
            r"floor|ceil|round|lround|llround|fabs|fmod|hypot|isfinite|isnan|isinf|lgamma)\(",
    "setjmp": r"\b(setjmp|longjmp|jmp_buf)\b",
    "signal": r"\b(std::signal|sigaction|sigprocmask|SIG(INT|TERM|KILL|CHLD|SEGV|PIPE|USR1))\b",
    "stdarg": r"\bva_(list|start|arg|end|copy)\b",
    "stdint": r"\bu?int(_fast|_least)?(8|16|32|64)_t\b|\bu?intptr_t\b|\bu?intmax_t\b|"
              r"\bU?INT(8|16|32|64)_(MAX|MIN|C)\b|\bSIZE_MAX\b|\bU?INTPTR_MAX\b",
    "stdio": r"\b(f|s|sn|v|vf|vsn)?printf\(|\b(fopen|fclose|fputs|fread|fwrite|fflush|stderr|stdout|"
             r"fdopen|FILE)\b",
    "stdlib": r"\b(std::)?(getenv|setenv|unsetenv|malloc|calloc|realloc|abort|atexit|strtol|"
              r"strtoul|strtod|mkdtemp|mkstemp|atoi|atol|qsort)\(|\bstd::exit\(|\bEXIT_FAILURE\b",
    "string": r"\b(std::)?(mem(cpy|move|set|cmp|chr)|str(len|n?cmp|n?cpy|chr|rchr|str|error|dup|"
              r"spn|cspn|tok|cat|ncat))\(",
    "time": r"\bstd::time\(|\b(clock_gettime|nanosleep|struct timespec|localtime_r|gmtime_r|"
            r"strftime)\b",
}


def uses():
    """[(headers of which one is needed, pattern, only C++)]."""
    def words(text):
        return "|".join(text.split() if isinstance(text, str) else text)

    found = [({"algorithm"}, rf"\bstd::(ranges::)?({words(ALGORITHMS)})\(", True),
             ({"ranges"}, r"\bstd::(views::|ranges::(view|range|subrange))", True),
             ({"iterator", "array", "deque", "map", "regex", "set", "span", "string", "string_view",
               "unordered_map", "unordered_set", "vector"},
              r"\bstd::(begin|data|empty|end|rbegin|rend|size|ssize)\(", True),
             ({"concepts"}, r"\bstd::(integral|floating_point|same_as|convertible_to|invocable)\b",
              True)]
    found += [({name}, rf"\bstd::({words(text)})\s*[<({{]", True)
              for name, text in TEMPLATES.items()]
    found += [({name}, rf"\bstd::({words(text)})\b", True)
              for name, text in TYPES.items() if text]
    found += [({f"c{name}", f"{name}.h"}, pattern, False) for name, pattern in IN_C.items()]
    return [(headers, re.compile(pattern), only_cpp) for headers, pattern, only_cpp in found]


USES = uses()
# What a header has to bring, by the standard or by POSIX.
BRINGS = {
    "array": ("initializer_list",), "deque": ("initializer_list",), "map": ("initializer_list",),
    "set": ("initializer_list",), "string": ("initializer_list", "string_view"),
    "vector": ("initializer_list",), "unordered_map": ("initializer_list",),
    "unordered_set": ("initializer_list",), "sstream": ("string",), "stdexcept": ("exception",),
    "new": ("exception",), "system_error": ("stdexcept",),
    "filesystem": ("chrono", "system_error"), "inttypes.h": ("stdint.h",),
    "cinttypes": ("cstdint",), "sys/wait.h": ("signal.h",),
    "gtest/gtest.h": ("string", "vector", "memory", "tuple", "set", "map", "limits", "ostream"),
    "gmock/gmock.h": ("gtest/gtest.h",),
}
NOISE = re.compile(r'R"(\w*)\((.*?)\)\1"|"(\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def without_noise(text):
    """Without comments and strings; the lines stay where they are."""
    return NOISE.sub(lambda match: "\n" * match[0].count("\n"), text)


def closure(headers):
    found, todo = set(), list(headers)
    while todo:
        header = todo.pop()
        if header not in found:
            found.add(header)
            todo += BRINGS.get(header, ())
    return found


def missing(tree, path):
    """[(line, what is used, header that it needs), ...]: one of each header."""
    there = closure(tree.own_and_other(path)[1])
    text = without_noise(tree.text(path))
    found = []
    for headers, pattern, only_cpp in USES:
        if headers & there or only_cpp and path.suffix in C_SUFFIXES:
            continue
        use = pattern.search(text)
        if use:
            is_c = path.suffix in C_SUFFIXES
            wanted = min(headers, key=lambda name: (name.endswith(".h") != is_c, name != "iterator"))
            found.append((text.count("\n", 0, use.start()) + 1, use[0], wanted))
    return found


# (file, text that it gets instead of its own, header that is missing then).
PLANTED = [
    ("lib/core/rng.hpp", "inline std::uint64_t planted;", "cstdint"),
    ("lib/core/rng.hpp", "#include <string>\ninline std::uint64_t planted;", "cstdint"),
    ("lib/core/error.cpp", "auto planted() { return std::back_inserter(list); }", "iterator"),
    ("lib/core/error.cpp", "bool planted = std::ranges::sort(list);", "algorithm"),
    ("lib/core/error.cpp", "std::vector<int> planted;", "vector"),
    ("lib/core/error.cpp", "auto planted = std::size(array);", "iterator"),
    ("lib/core/error.cpp", '#include "core/rng.hpp"\nauto planted = std::getenv("");', "cstdlib"),
    ("tests/mpi/programs/world.c", "int main(void) { return printf(1); }", "stdio.h"),
]
HARMLESS = [
    ("lib/core/error.cpp", "// std::vector<int>\nconst char* text = \"std::sort(\";"),
    ("lib/core/error.cpp", '#include "planted.hpp"\nstd::vector<int> list;'),
]


def self_check():
    """What was planted and not found, or found without being wrong."""
    missed = []
    for place, text, header in PLANTED:
        path = pathlib.Path(place)
        found = [needed for _, _, needed in missing(Tree(ROOT, {path: text}), path)]
        if found != [header]:
            missed.append(f"{place}: {text}: {found} instead of {header}")
    for place, text in HARMLESS:
        path, own = pathlib.Path(place), pathlib.Path("lib/core/planted.hpp")
        found = missing(Tree(ROOT, {path: text, own: "#include <vector>"}), path)
        if found:
            missed.append(f"{place}: {text}: {found} instead of nothing")
    return missed


if __name__ == "__main__":
    tree = Tree(ROOT)
    problems = [f"{path}:{line}: {use} needs <{header}>"
                for path in tree.paths for line, use, header in missing(tree, path)]
    print("\n".join(problems) or f"{len(tree.paths)} files include what they use")
    missed = self_check()
    print("\n".join(f"missed: {line}" for line in missed) or f"{len(PLANTED)} planted ones found")
    sys.exit(1 if problems or missed else 0)
