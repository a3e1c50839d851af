"""What the test beside this file has Spark do: python3 job.py MASTER [PAGE], in a folder with files of it. Runs the examples of
the page too, and tries all else, if it is given them.

Leaves filters there, and prints one line of JSON.
"""

import json
import sys

import bloom_spark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

master, *everything = sys.argv[1:]
settings = {"spark.ui.enabled": "false", "spark.executor.memory": "512m", "spark.log.level": "OFF"}
spark = SparkSession.builder.master(master).config(map=settings).getOrCreate()

FILES = ["some.txt", "more.txt"]
rows = spark.read.schema("number long, key string").json(["some.json", "more.json"])
keys = rows.select("key")


def build(data, output, **options):
    bloom_spark.build(data, output, "3M", tasks=3, **options)


def asked(data, filter):
    """The numbers of the rows with the answers, of strings and of bytes."""
    answered = bloom_spark.may_contain(data, "key", filter, "text")
    answered = bloom_spark.may_contain(answered.withColumn("key", F.encode("key", "UTF-8")), "key", filter)
    return [[row.number, row.text, row.may_contain] for row in answered.collect()]


def failure(work):
    """What is said of something that cannot be done."""
    try:
        work()
    except Exception as error:
        return str(error)
    return None


build(FILES, "slices.bloom")
told = {"numbers": [row.number for row in rows.collect()], "answers": asked(rows, "slices.bloom")}

for page in everything:
    rows.createTempView("visits")
    example = {"spark": spark}
    exec(open(page).read(), example)
    told["new"] = [row.number for row in example["new"].collect()]
    build(FILES, "fields.bloom", records=["-f", "2", "-d", "/"], options=["--kind", "blocked"])
    build(FILES, "digests.bloom", by_segment=True)
    build(keys, "column.bloom")
    build(keys, "column-digests.bloom", by_segment=True)
    build(keys.where("key is null"), "empty.bloom")
    build(["some.txt"], "replaced.bloom")
    before = asked(rows.limit(3), "replaced.bloom")
    build(keys.where("key is null"), "replaced.bloom", force=True)
    told["replaced"] = [before, asked(rows.limit(3), "replaced.bloom")]
    told["counts"] = [bloom_spark.count(FILES), bloom_spark.count(keys)]
    told["failures"] = {
        "existing": failure(lambda: build(FILES, "slices.bloom")),
        "missing input": failure(lambda: build(["nothing.txt"], "other.bloom")),
        "missing filter": failure(lambda: asked(rows, "nothing.bloom")),
        "no filter": failure(lambda: asked(rows, "some.txt")),
        "NUL": failure(lambda: build(spark.createDataFrame([("a\0b",)], "key string"), "other.bloom")),
    }

print(json.dumps(told))
