"""What the race beside this file times: python3 spark.py BLOOM FILE ITEMS ROUNDS, in a folder for filters.

Prints one line of JSON.
"""

import filecmp
import json
import os
import subprocess
import sys
import time

import bloomery_spark
from memory import Peak
from pyspark.sql import SparkSession

bloom, file, items, rounds = sys.argv[1:]
begun = time.monotonic()
settings = {
    "spark.ui.enabled": "false",
    "spark.log.level": "OFF",
    "spark.driver.memory": "4g",
    "spark.executor.memory": "1g",
    # Without these, Spark's own filter has at most 8 MiB, and hash functions for at most 4 million keys.
    "spark.sql.optimizer.runtime.bloomFilter.maxNumBits": str(2**40),
    "spark.sql.optimizer.runtime.bloomFilter.maxNumItems": str(2**40),
}
spark = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
spark.sparkContext.parallelize(range(2), 2).map(str).collect()
start = time.monotonic() - begun


def build_alone():
    subprocess.run([bloom, "build", "-n", items, file, "-o", "alone", "--force", "--quiet"], check=True)


def build(data, **way):
    bloomery_spark.build(data, "ours", items, force=True, command=bloom, **way)


def build_by_spark():
    theirs = spark.read.text(file)._jdf.stat().bloomFilter("value", int(items), 0.01)
    stream = spark._jvm.java.io.FileOutputStream(os.path.abspath("theirs"))
    theirs.writeTo(stream)
    stream.close()


# By name: the work, and its file.
works = {
    "bloom build": (build_alone, "alone"),
    "build": (lambda: build([file]), "ours"),
    "build, by_segment": (lambda: build([file], by_segment=True), "ours"),
    "build of a DataFrame": (lambda: build(spark.read.text(file)), "ours"),
    "DataFrame.stat.bloomFilter": (build_by_spark, "theirs"),
}
results = {name: {"seconds": [], "python": 0, "java": 0, "command": 0} for name in works}
for _ in range(int(rounds)):
    for name, (work, made) in works.items():
        # Earlier work leaves garbage in the memory of Java, which must not count here.
        spark._jvm.System.gc()
        begun = time.monotonic()
        with Peak() as peak:
            work()
        result = results[name]
        result["seconds"].append(time.monotonic() - begun)
        result["bytes"] = os.path.getsize(made)
        for part in "python", "java", "command":
            result[part] = max(result[part], getattr(peak, part))
        if made == "ours" and not filecmp.cmp("alone", "ours", shallow=False):
            sys.exit(f"{name}: the filter is not that of one build")

print(json.dumps({"start": start, "results": results}))
