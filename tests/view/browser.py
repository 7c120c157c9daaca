# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium, controlled through a pipe by the DevTools protocol."""

import glob
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "headless_shell"]
PLAYWRIGHT = "~/.cache/ms-playwright/chromium*/chrome-*/*"
LIMIT = 60  # seconds for one answer


def find():
    for name in NAMES:
        if path := shutil.which(name):
            return path
    for path in glob.glob(os.path.expanduser(PLAYWRIGHT)):
        if os.path.basename(path) in ("chrome", "headless_shell", "chrome-headless-shell") and os.access(path, os.X_OK):
            return path
    return None


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_commands, self.commands = os.pipe()
        self.answers, write_answers = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec 5<&{read_commands} 6>&{write_answers}; exec 3<&5 4>&6; exec "$@"', "bash", find(), "--headless",
             "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(read_commands, write_answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self.number = 0
        self.rest = b""
        self.errors = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    def receive(self):
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], LIMIT)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.answers, 1 << 16)
            if not data:
                raise EOFError("the browser has ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(answer["params"]["entry"]["text"])

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def open(self, path):
        self.errors.clear()
        self.call("Page.navigate", url=path.as_uri())
        end = time.monotonic() + LIMIT
        while not self.evaluate("location.protocol === 'file:' && document.readyState === 'complete'"):
            if time.monotonic() > end:
                raise TimeoutError("the page does not load")
            time.sleep(0.05)
        self.next_frame()

    def next_frame(self):
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def press(self, key, text=None):
        kind = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **kind)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.next_frame()
