#!/usr/bin/env python3
"""The decoder of memory operands against objdump: every instruction of the C library, of what else is
installed of numerical libraries, and of vector instructions that the assembler knows."""
import collections
import pathlib
import platform
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

SHOW = kt.setting("KITH_BINARY") / "tests/sharing/show_operands"
LIBRARIES = ("libc.so.6", "libm.so.6", "libgomp.so.1", "libgfortran.so.5", "libscotch.so",
             "libblas.so.3", "libstdc++.so.6")
LINE = re.compile(r"^\s*[0-9a-f]+:\t([0-9a-f ]+?)\s*\t(.*)$")
ABSOLUTE = re.compile(r"(?:^|[ ,])(0x[0-9a-f]+)(?:,|$)")  # without any register
OPERAND = re.compile(r"(%[fg]s:)?(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+)?,(\d))?\)")
# They touch the stack by their nature, or name memory without touching it.
VECTORS = """vaddps MEM,%{v}17,%{v}18
vaddpd MEM{{1to2}},%xmm17,%xmm18
vaddpd MEM{{1to8}},%zmm17,%zmm18
vaddss MEM,%xmm17,%xmm18
vmulsd MEM,%xmm17,%xmm18
vmovups MEM,%{v}18
vmovapd %{v}18,MEM
vmovdqu8 MEM,%{v}18
vmovdqu64 %{v}18,MEM{{%k1}}
vmovdqa32 MEM,%{v}18
vmovss MEM,%xmm18
vmovsd %xmm18,MEM
vmovd MEM,%xmm18
vmovq MEM,%xmm18
vmovlps MEM,%xmm17,%xmm18
vmovhpd MEM,%xmm17,%xmm18
vmovddup MEM,%{v}18
vmovshdup MEM,%{v}18
vmovntps %{v}18,MEM
vmovntdqa MEM,%{v}18
vcvtps2pd MEM,%{v}18
vcvtpd2ps MEM,%ymm18
vcvtdq2pd MEM,%{v}18
vcvtudq2pd MEM,%{v}18
vcvtqq2pd MEM,%{v}18
vcvttps2qq MEM,%{v}18
vcvtps2uqq MEM,%{v}18
vcvttss2usi MEM,%eax
vcvttsd2usi MEM,%rax
vcvtusi2sdl MEM,%xmm17,%xmm18
vcvtusi2sdq MEM,%xmm17,%xmm18
vcvtsi2ssl MEM,%xmm17,%xmm18
vcvtsd2ss MEM,%xmm17,%xmm18
vcvtss2sd MEM,%xmm17,%xmm18
vcvtph2ps MEM,%{v}18
vcvtps2ph $4,%{v}18,MEM
vucomiss MEM,%xmm18
vcomisd MEM,%xmm18
vpaddd MEM,%{v}17,%{v}18
vpaddq MEM{{1to4}},%ymm17,%ymm18
vpsrlq MEM,%{v}17,%{v}18
vpsraq MEM,%{v}17,%{v}18
vpsllw MEM,%{v}17,%{v}18
vpsllvd MEM,%{v}17,%{v}18
vpshufd $3,MEM,%{v}18
vpmovsxbd MEM,%{v}18
vpmovsxbq MEM,%{v}18
vpmovzxwd MEM,%{v}18
vpmovzxdq MEM,%{v}18
vpmovqb %{v}18,MEM
vpmovdw %{v}18,MEM
vpmovsqw %{v}18,MEM
vpmovusdb %{v}18,MEM
vpmovwb %{v}18,MEM
vbroadcastss MEM,%{v}18
vbroadcastsd MEM,%{v}18
vbroadcastf32x2 MEM,%{v}18
vbroadcastf32x4 MEM,%{v}18
vbroadcastf64x4 MEM,%{v}18
vpbroadcastb MEM,%{v}18
vpbroadcastw MEM,%{v}18
vpbroadcastd MEM,%{v}18
vpbroadcastq MEM,%{v}18
vbroadcasti32x4 MEM,%{v}18
vbroadcasti64x4 MEM,%{v}18
vfmadd231ps MEM,%{v}17,%{v}18
vfmadd213sd MEM,%xmm17,%xmm18
vfnmadd132ss MEM,%xmm17,%xmm18
vgetexpsd MEM,%xmm17,%xmm18
vrcp14ss MEM,%xmm17,%xmm18
vscalefsd MEM,%xmm17,%xmm18
vrndscalepd $1,MEM,%{v}18
vrndscaless $1,MEM,%xmm17,%xmm18
vexpandpd MEM,%{v}18
vcompressps %{v}18,MEM
vpexpandb MEM,%{v}18
vpcompressw %{v}18,MEM
vpermt2pd MEM,%{v}17,%{v}18
vpermb MEM,%{v}17,%{v}18
vinsertf32x4 $1,MEM,%zmm17,%zmm18
vextractf64x4 $1,%zmm18,MEM
vinserti64x2 $1,MEM,%zmm17,%zmm18
vextracti32x8 $1,%zmm18,MEM
vpinsrb $1,MEM,%xmm17,%xmm18
vpinsrw $1,MEM,%xmm17,%xmm18
vpinsrd $1,MEM,%xmm17,%xmm18
vpextrq $1,%xmm18,MEM
vpextrb $1,%xmm18,MEM
vextractps $1,%xmm18,MEM
vinsertps $1,MEM,%xmm17,%xmm18
vcmpps $1,MEM,%{v}17,%k2
vcmpsd $1,MEM,%xmm17,%k2
vpcmpub $1,MEM,%{v}17,%k2
vptestmd MEM,%{v}17,%k2
vgatherdpd (%rax,%ymm17,8),%zmm18{{%k1}}
vscatterqps %ymm18,4(%rax,%zmm17,4){{%k1}}
vreducesd $1,MEM,%xmm17,%xmm18
vfpclasssd $1,MEM,%k2
vaddph MEM,%{v}17,%{v}18
vaddsh MEM,%xmm17,%xmm18
vpdpbusd MEM,%{v}17,%{v}18
vpopcntq MEM,%{v}18
valignq $1,MEM,%{v}17,%{v}18
vpternlogd $7,MEM,%{v}17,%{v}18
vaddps MEM,%ymm1,%ymm2
vfmadd231pd MEM,%ymm1,%ymm2
vmovntdqa MEM,%ymm2
vblendvps %ymm3,MEM,%ymm1,%ymm2
andn MEM,%eax,%ebx
bextr %eax,MEM,%ebx
rorx $3,MEM,%eax
movabs 0x1122334455667788,%rax
lock cmpxchg16b MEM
xadd %eax,MEM
movbe MEM,%r11
crc32b MEM,%eax
adcx MEM,%eax
pshufb MEM,%xmm3
palignr $3,MEM,%xmm3
fldl MEM
fnstcw MEM
imul $100000,MEM,%eax
movw $100,MEM
testl $100000,MEM
notl MEM
movl $7,12(%rip)
addb $7,12(%rip)
vpermq $7,64(%rip),%zmm18
vpshufd $7,64(%rip),%xmm1""".splitlines()
NO_ACCESS = re.compile(r"^(?:\S+ )*?(lea|nop|prefetch|vprefetch|cldemote|bnd|data16|cs nop|endbr|"
                       r"reservednop|ud\d|xbegin)")
JUMP = re.compile(r"^(\S+ )*?(j|call|loop|xbegin)")


def instructions(text):
    """(bytes, text) of each instruction."""
    for line in text.splitlines():
        found = LINE.match(line)
        if found and "(bad)" not in line and not found[2].startswith(".byte"):
            yield found[1].replace(" ", ""), found[2].split("#")[0].split("<")[0].strip()


def signed(text):
    value = int(text, 16)
    return value - (1 << 64) if value >= 1 << 63 else value


def operand_of(text):
    """As show_operands writes it; None: no memory."""
    found = [m for m in OPERAND.finditer(text)]
    if NO_ACCESS.match(text):
        return None
    if not found:
        absolute = None if JUMP.match(text) else ABSOLUTE.search(text)
        return f"{signed(absolute[1])}(,,1)" if absolute else None
    segment, displacement, base, index, scale = found[-1].groups()
    if segment:
        return None
    if any(name and re.match(r"%[xyz]mm|%e|%r\d+d", name) for name in (base, index)):
        return None  # gathers, and addresses of 32 bits
    value = signed(displacement) if displacement else 0
    if index == "%riz":
        index = None
    return f"{value}({base or ''},{index or ''},{scale or 1})"


def written_by(text):
    """The number of the general register that is the last operand, unless it is only read."""
    name = text.replace("lock ", "").split()[0]
    if re.match(r"cmp[bwlq]?$|test|bt[bwlq]?$|push|vpush|call|jmp|out|nop|v?p?test|ud|prefetch", name):
        return None
    if re.match(r"i?div|i?mul", name) and "," not in text:
        return 2  # rdx
    last = re.search(r"%(\w+)$", text)
    return REGISTERS.get(last[1]) if last else None


def access_of(text):
    """Whether it reads or writes its memory: the last operand is what is written."""
    name = re.sub(r"^((lock|rep|repz|repnz|bnd|cs|xacquire|xrelease) )+", "", text).split()[0]
    if is_string(text):
        return "writes" if re.match(r"(movs|stos)[bwlq]?$", name) else "reads"
    if re.match(r"cmp[bwlq]?$|test|bt[bwlq]?$|push|call|jmp|v?p?test|v?u?comi|ldmxcsr|vldmxcsr|fld|fi?add|fi?mul|"
                r"fi?sub|fi?div|fi?com|fild|fbld|fxrstor|xrstor|frstor|div|idiv|i?mul[bwlq]? *[^,]*$|verw|lgdt|"
                r"lidt|lldt|ltr|lmsw|invlpg|rstorssp|clflush|clwb|prefetch|vmptrld|clrssbsy", name):
        return "reads"
    if re.match(r"i?mul[bwlq]?$", name) and not re.search(r"\),", text):
        return "reads"
    return "writes" if re.search(r"(\)|^\S+ +(.*,)?0x[0-9a-f]+)(\{%k\d\})?$", text) else "reads"


def way_of(text):
    name = text.replace("bnd ", "").replace("notrack ", "").replace(",pn", "").replace(",pt", "").split()
    name = [word for word in name if word not in ("cs", "ds", "data16", "rex.W")][0] if name else ""
    if re.match(r"jmp", name):
        return "x" if "*" in text else "t"
    if re.match(r"j[^c]|jc$", name) and name not in ("jrcxz", "jecxz"):
        return "e"
    if re.match(r"j|call|ret|loop|hlt|int|ud|syscall|sysenter|rep|iret|leave|in$|out|xbegin|cpuid|rdtsc|rdpmc",
                name) or is_string(text):
        return "x"
    return "f"


NAMES = ("ax", "cx", "dx", "bx", "sp", "bp", "si", "di")
REGISTERS = {f"r{n}{size}": n for n in range(8, 16) for size in ("", "d", "w", "b")}
for n, two in enumerate(NAMES):
    REGISTERS |= {f"r{two}": n, f"e{two}": n, two: n, (f"{two[0]}l" if two[1] == "x" else f"{two}l"): n}


def is_string(text):
    if "xlat" in text:
        return False
    return "%ds:(" in text or "%es:(" in text or re.search(r"\b(movs|cmps|stos|lods|scas)[bwlq]?\b", text)


def compare(text, what):
    """Numbers of instructions and of operands that were compared."""
    # objdump shows a wait and what follows as one.
    wanted = [one for one in dict.fromkeys(instructions(text)) if not re.match(r"9b.", one[0])]
    shown = kt.run([SHOW], stdin="".join(f"{code}\n" for code, _ in wanted)).stdout.splitlines()
    kt.check_equal(len(shown), len(wanted), f"{what}: lines")
    wrong, unknown, operands = [], collections.Counter(), 0
    for (code, said), line in zip(wanted, shown):
        length, written, goes, *found = line.split()
        access = found.pop(0) if found else None
        if length == "0":
            unknown[said.split()[0]] += 1
            continue
        expected = operand_of(said)
        if is_string(said) or said.startswith(("xlat", "movabs")):
            expected = found[0] if found else None
        if int(length) != len(code) // 2:
            wrong.append(f"{code} {said}: length {length}")
        elif (found[0] if found else None) != expected:
            wrong.append(f"{code} {said}: {found}, expected {expected}")
        if expected and access != access_of(said):
            wrong.append(f"{code} {said}: {access}, not {access_of(said)}")
        register = written_by(said)
        if register is not None and not int(written) >> register & 1:
            wrong.append(f"{code} {said}: may change {int(written):#x}, not {register}")
        if goes != way_of(said):
            wrong.append(f"{code} {said}: goes on {goes}, not {way_of(said)}")
        operands += expected is not None
    for one in wrong[:20]:
        print(one)
    kt.check_equal(len(wrong), 0, f"{what}: wrong ones")
    kt.check(sum(unknown.values()) <= len(wanted) // 1000, f"{what}: unknown to the decoder: {unknown}")
    print(f"{what}: {len(wanted)} instructions, {operands} operands, {sum(unknown.values())} unknown")
    return operands


def libraries():
    total = 0
    for name in LIBRARIES:
        file = next((pathlib.Path(folder, name) for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64")
                     if pathlib.Path(folder, name).exists()), None)
        if file:
            total += compare(kt.run(["objdump", "-d", "--insn-width=15", "-j", ".text", file]).stdout, name)
    kt.check(total > 50000, f"only {total} operands were compared")


def vectors():
    """Each short displacement of AVX-512 has a unit of its own."""
    lines = [name.format(v=vector, h=half) for name in VECTORS
             for vector, half in (("zmm", "ymm"), ("ymm", "xmm"), ("xmm", "xmm"))]
    # Whether a displacement is short depends on its unit: multiples of each.
    lines = [line.replace("MEM", f"{units * unit}({base})") for line in lines
             for unit, units, base in ((1, 1, "%rax"), (4, 3, "%r9,%r13,8"), (8, -5, "%rsp"), (16, 2, "%r13"),
                                       (32, -3, "%rbx,%rcx,4"), (64, 7, "%r12"), (64, 1000, "%rdx"))]
    done = kt.run(["as", "--64", "-", "-o", "vectors.o"], stdin="\n".join(lines) + "\n", status=None)
    refused = {int(n) for n in re.findall(r":(\d+): Error", done.stderr)}  # not all have all lengths
    lines = [line for number, line in enumerate(lines, 1) if number not in refused]
    kt.run(["as", "--64", "-", "-o", "vectors.o"], stdin="\n".join(lines) + "\n")
    compare(kt.run(["objdump", "-d", "--insn-width=15", "vectors.o"]).stdout, "vectors")


def stepped():
    """What is told of a program's next accesses, against its steps."""
    text = kt.run([SHOW.parent / "stepped"]).stdout
    told = re.search(r"(\d+) accesses foretold, (\d+) wrong", text)
    kt.check(told and int(told[2]) < int(told[1]) / 5, text)  # at the ends of loops whose end is not known
    print(text.splitlines()[-1])


if platform.machine() != "x86_64" or shutil.which("objdump") is None:
    kt.not_tried("a processor that is no x86-64, or no objdump")
else:
    with kt.work_folder():
        libraries()
        vectors()
        stepped()
kt.finish()
