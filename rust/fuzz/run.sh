#!/usr/bin/env bash
# Run fuzz targets for a short time: run.sh SECONDS [TARGET]..., all without one. Status 1 when a target found something.
set -euo pipefail
cd "$(dirname "$0")"

seconds=$1
shift
host=$(rustc -vV | sed -n 's/^host: //p')
python3 ../../tools/case_seeds.py corpus/cases
seeds=("$PWD/corpus/cases" "$PWD/../../tests/corpus/json")

if command -v c++ >/dev/null; then
    engine=libfuzzer
    # The flags of cargo-fuzz without its sanitizers: these need nightly and look for faults of unsafe code, and the core
    # has none of its own. --target keeps the flags away from build scripts.
    export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Ccodegen-units=1
        -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
        -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
else
    engine=random
fi

echo "engine: $engine, $seconds s a target"
cargo build --quiet --release --target "$host"
found=0
for file in fuzz_targets/*.rs; do
    [ -e "$file" ] || { echo "no targets in rust/fuzz/fuzz_targets yet"; break; }
    name=$(basename "$file" .rs)
    [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
    program=$PWD/target/$host/release/$name
    mkdir -p "corpus/$name" "artifacts/$name"
    echo "== $name"
    if [ "$engine" = libfuzzer ]; then
        "$program" "corpus/$name" "${seeds[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -dict=json.dict \
            -artifact_prefix="artifacts/$name/" -print_final_stats=1 -verbosity=0 || found=1
    else
        (cd "artifacts/$name" && "$program" "$seconds" "../../corpus/$name" "${seeds[@]}") || found=1
    fi
done
exit "$found"
