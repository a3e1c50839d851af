"""The package itself: what pip gets, its types and its syntax."""

import ast
import importlib.util
import inspect
import subprocess
import sys
import tarfile
import zipfile

import bloomery_spark
import pytest
from conftest import ROOT

PACKAGE = ROOT / "src" / "spark"
MODULES = sorted((PACKAGE / "bloomery_spark").glob("*.py"))


def needs(module):
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"there is no {module}")


@needs("build")
def test_wheel_and_sdist(tmp_path):
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, PACKAGE]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    [wheel], [sdist] = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    names = {f"bloomery_spark/{path.name}" for path in MODULES} | {"bloomery_spark/py.typed"}
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == names
        [metadata] = [name for name in archive.namelist() if name.endswith("METADATA")]
        assert "\nName: bloomery-spark\n" in archive.read(metadata).decode()
    with tarfile.open(sdist) as archive:
        assert {name.split("/", 1)[1] for name in archive.getnames()} >= names | {"pyproject.toml", "README.md"}


def test_the_version_is_that_of_bloom():
    version = f'"version": "{importlib.import_module("importlib.metadata").version("bloomery-spark")}"'
    assert version in (ROOT / "package.json").read_text()


@needs("mypy")
def test_types():
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", PACKAGE / "pyproject.toml", *MODULES],
        cwd=PACKAGE, stdout=subprocess.PIPE, text=True, env={"MYPY_CACHE_DIR": "/dev/null"},
    )
    assert done.returncode == 0, done.stdout


def test_syntax_of_python_3_8():
    for path in MODULES:
        ast.parse(path.read_text(), feature_version=(3, 8))


def test_examples_of_docstrings_name_arguments_that_exist():
    for name in "build", "count", "may_contain":
        function = getattr(bloomery_spark, name)
        example = inspect.getdoc(function).split("Example::")[1]
        calls = [node for node in ast.walk(ast.parse(inspect.cleandoc(example))) if isinstance(node, ast.Call)]
        own = [call for call in calls if getattr(call.func, "attr", None) == name]
        assert own
        for call in own:
            inspect.signature(function).bind(*call.args, **{keyword.arg: keyword.value for keyword in call.keywords})
