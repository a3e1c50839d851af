"""What the race beside this file times: python3 spark.py BLOOM FILE ITEMS ROUNDS, in a folder for filters. Prints one line of JSON."""

import filecmp
import json
import subprocess
import sys
import time

import bloom_spark
from pyspark.sql import SparkSession

bloom, file, items, rounds = sys.argv[1:]
begun = time.monotonic()
settings = {"spark.ui.enabled": "false", "spark.log.level": "OFF", "spark.driver.memory": "4g", "spark.executor.memory": "1g"}
spark = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
spark.sparkContext.parallelize(range(2), 2).map(str).collect()
start = time.monotonic() - begun


def build_alone():
    subprocess.run([bloom, "build", "-n", items, file, "-o", "alone", "--force", "--quiet"], check=True)


def build(**way):
    bloom_spark.build([file], "spark", items, force=True, command=bloom, **way)


works = {
    "bloom build": build_alone,
    "bloom_spark.build": build,
    "the same, by_segment": lambda: build(by_segment=True),
}
seconds = {name: [] for name in works}
for _ in range(int(rounds)):
    for name, work in works.items():
        begun = time.monotonic()
        work()
        seconds[name].append(time.monotonic() - begun)
        if work is not build_alone and not filecmp.cmp("alone", "spark", shallow=False):
            sys.exit(f"{name}: the filter is not that of one build")

print(json.dumps({"start": start, "rounds": seconds}))
