"""A server with the interface of S3, and the CORS rules of the second argument. It has the file of the first argument as a public and as a private
object. Prints where they are. Then each line names a file that replaces both."""

import json
import sys

import boto3
from botocore.config import Config
from moto.server import ThreadedMotoServer

BUCKET = "filters"

file, rules = sys.argv[1:]
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
origin = f"http://{host}:{port}"
store = boto3.client(
    "s3",
    endpoint_url=origin,
    region_name="us-east-1",
    aws_access_key_id="key",
    aws_secret_access_key="secret",
    config=Config(signature_version="s3v4"),
)
store.create_bucket(Bucket=BUCKET)
store.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": json.loads(rules)})


def put(file):
    for name, access in ("public.bloom", "public-read"), ("private.bloom", "private"):
        with open(file, "rb") as body:
            store.put_object(Bucket=BUCKET, Key=name, Body=body, ACL=access)


put(file)
signed = store.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "private.bloom"})
private, _ = signed.split("?", 1)
print(json.dumps({"public": f"{origin}/{BUCKET}/public.bloom", "private": private, "signed": signed}), flush=True)
for line in sys.stdin:
    put(line.rstrip("\n"))
    print("replaced", flush=True)
