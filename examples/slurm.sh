#!/bin/sh
# A batch or a run of Texas 42 tables on a Slurm cluster: each task of the array takes its shard.
#
#   sbatch --array=1-16 examples/slurm.sh batch plan.toml --out s3://spots/solved
#   sbatch --array=1-16 examples/slurm.sh forty-two solve --seeds 0..10000 --decls all --out s3://tables/train
#   sbatch --array=1-16 examples/slurm.sh forty-two sample --seeds 0..100000 --decls all --per-table 1000 --out samples
#
# The folder is a URL, or one that all nodes share. A task that is lost or runs out of time is submitted again with the same line:
# what is there is kept, and solves go on from their checkpoints. Numbers of an array begin with 1 and have no gaps.
#SBATCH --job-name=noregret
#SBATCH --array=1-4
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=24:00:00
#SBATCH --requeue
set -eu
exec "${NOREGRET:-noregret}" "$@" \
    --shard "${SLURM_ARRAY_TASK_ID:-1}/${SLURM_ARRAY_TASK_COUNT:-1}" \
    --threads "${SLURM_CPUS_PER_TASK:-1}"
