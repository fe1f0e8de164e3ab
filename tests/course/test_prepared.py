"""The small model's weights in their faster form: what is in them, and who made the file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gguf
import numpy as np
import pytest

from g2c.inference import prepared
from g2c.inference.prepared import hash_of, prepare

Q4_1, Q8_0 = gguf.GGMLQuantizationType.Q4_1, gguf.GGMLQuantizationType.Q8_0
MATRIX = "blk.0.attn_q.weight"
RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(64, 96)).astype(np.float32)
NORM = RNG.normal(size=96).astype(np.float32)


def write(path: Path, tensors: dict[str, tuple], **floats: float) -> Path:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_array("tokenizer.ggml.tokens", ["a", "b"])
    for name, value in floats.items():
        writer.add_float32(name.replace("_", "."), value)
    for name, (numbers, form) in tensors.items():
        data = gguf.quantize(numbers, form)
        writer.add_tensor(name, data, raw_dtype=form)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def numbers_in(path: Path) -> dict[str, np.ndarray]:
    tensors = gguf.GGUFReader(path).tensors
    return {one.name: gguf.dequantize(one.data, one.tensor_type) for one in tensors}


@pytest.fixture
def weights(tmp_path) -> Path:
    tensors = {
        MATRIX: (NUMBERS, Q4_1),
        "output_norm.weight": (NORM, gguf.GGMLQuantizationType.F32),
    }
    return write(tmp_path / "weights.gguf", tensors)


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "cache"


def an_adapter(path: Path, rank: int, alpha: float, name: str = MATRIX) -> tuple[Path, np.ndarray]:
    halves = [RNG.normal(size=shape).astype(np.float32) for shape in ((rank, 96), (64, rank))]
    form = gguf.GGMLQuantizationType.F32
    tensors = {f"{name}.lora_{half}": (m, form) for half, m in zip("ab", halves, strict=True)}
    write(path, tensors, adapter_lora_alpha=alpha)
    return path, halves[1] @ halves[0] * (alpha / rank)


class TestContent:
    def test_the_numbers_are_those_of_the_weights(self, weights, folder):
        file = prepare(weights, "w", None, folder)
        forms = {one.name: one.tensor_type for one in gguf.GGUFReader(file).tensors}
        before, after = numbers_in(weights), numbers_in(file)
        assert forms[MATRIX] == Q8_0
        assert np.abs(after[MATRIX] - before[MATRIX]).max() < np.abs(before[MATRIX]).max() / 200
        assert np.array_equal(after["output_norm.weight"], NORM)
        fields = gguf.GGUFReader(file).fields
        assert fields["tokenizer.ggml.tokens"].contents() == ["a", "b"]

    @pytest.mark.parametrize("rank", [1, 5, 32])
    def test_an_adapter_of_any_rank_is_added_before_rounding(self, weights, folder, rank, tmp_path):
        adapter, change = an_adapter(tmp_path / "a.gguf", rank, alpha=7)
        after = numbers_in(prepare(weights, "w", adapter, folder))[MATRIX]
        wanted = numbers_in(weights)[MATRIX] + change
        assert np.abs(after - wanted).max() < np.abs(wanted).max() / 200

    def test_what_does_not_fit_is_refused_and_leaves_nothing(self, weights, folder, tmp_path):
        adapter, _ = an_adapter(tmp_path / "a.gguf", 4, alpha=1, name="blk.9.attn_q.weight")
        with pytest.raises(ValueError, match=r"does not have: blk\.9\.attn_q\.weight\.lora_a"):
            prepare(weights, "w", adapter, folder)
        assert [file.name for file in folder.iterdir()] == ["lock"]

    def test_a_model_is_no_adapter(self, weights, folder):
        with pytest.raises(ValueError, match="is no LoRA"):
            prepare(weights, "w", weights, folder)


class TestFile:
    def test_it_is_made_once(self, weights, folder):
        file = prepare(weights, "w", None, folder)
        made = file.stat().st_ino
        assert prepare(weights, "w", None, folder).stat().st_ino == made

    def test_other_weights_and_adapters_have_files_of_their_own(self, weights, folder, tmp_path):
        one, _ = an_adapter(tmp_path / "1.gguf", 4, alpha=1)
        two, _ = an_adapter(tmp_path / "2.gguf", 4, alpha=1)
        files = [prepare(weights, "w", adapter, folder) for adapter in (None, one, two)]
        assert len({*files, prepare(weights, "other", None, folder)}) == 4

    @pytest.mark.parametrize("damage", ["torn", "flipped", "gone", "no record", "a broken record"])
    def test_a_file_that_is_not_as_it_was_written_is_made_anew(self, weights, folder, damage):
        file = prepare(weights, "w", None, folder)
        record, whole = file.with_suffix(".json"), file.read_bytes()
        if damage == "torn":
            file.write_bytes(whole[:-100])
        elif damage == "flipped":
            file.write_bytes(whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:])
        elif damage == "gone":
            file.unlink()
        else:
            record.unlink() if damage == "no record" else record.write_text('{"seen": ')
        assert prepare(weights, "w", None, folder).read_bytes() == whole
        assert hash_of(file) in record.read_text()

    def test_a_copy_with_another_time_is_the_same_file(self, weights, folder):
        file = prepare(weights, "w", None, folder)
        os.utime(file, (1, 1))
        made = file.stat().st_ino
        assert prepare(weights, "w", None, folder).stat().st_ino == made

    def test_the_ones_that_were_used_last_stay(self, weights, folder):
        files = []
        for number in range(prepared.MOST):
            files.append(prepare(weights, f"w{number}", None, folder))
            os.utime(files[-1].with_suffix(".json"), (number, number))
        prepare(weights, "w0", None, folder)
        newest = prepare(weights, "new", None, folder)
        assert {*folder.glob("*.gguf")} == {newest, files[0], *files[2:]}

    def test_what_a_killed_process_left_is_removed_later(self, weights, folder):
        folder.mkdir()
        old, new = folder / "1.part", folder / "2.part"
        old.touch()
        new.touch()
        os.utime(old, (0, 0))
        prepare(weights, "w", None, folder)
        assert not old.exists() and new.exists()

    def test_a_folder_that_cannot_be_made_is_an_os_error(self, weights, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(OSError):
            prepare(weights, "w", None, tmp_path / "file" / "cache")


MAKE = """
import sys, time
from pathlib import Path
from g2c.inference import prepared
weights, folder, slow = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
write = prepared._write
def dying(weights, adapter, out):
    write(weights, adapter, out)
    print("written", flush=True)
    sys.stdin.read()
if slow:
    prepared._write = dying
print(prepared.prepare(weights, "w", None, folder).read_bytes()[:4])
"""


@pytest.mark.skipif(os.name == "nt", reason="kills as POSIX does")
class TestProcesses:
    def test_those_that_make_it_at_once_all_have_it(self, weights, folder):
        def make(_):
            command = [sys.executable, "-c", MAKE, str(weights), str(folder)]
            return subprocess.run(command, capture_output=True, text=True, timeout=300)

        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(make, range(4)))
        assert [(one.stdout, one.stderr) for one in done] == [("b'GGUF'\n", "")] * 4
        assert len([*folder.glob("*.gguf")]) == 1 and not [*folder.glob("*.part")]

    def test_one_that_is_killed_before_its_end_leaves_no_file_and_no_lock(self, weights, folder):
        command = [sys.executable, "-c", MAKE, str(weights), str(folder), "slow"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
            assert process.stdout.readline() == "written\n"
            process.send_signal(signal.SIGKILL)
        assert not [*folder.glob("*.gguf")] and len([*folder.glob("*.part")]) == 1
        assert prepare(weights, "w", None, folder).read_bytes()[:4] == b"GGUF"
