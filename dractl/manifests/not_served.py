"""What there is to say of objects in versions that the cluster's API server does not serve (gates.md §3)."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from dractl.api.objects import Sourced
from dractl.finding import Finding, Severity
from dractl.manifests.kinds import api_version, group_and_version, kinds
from dractl.manifests.served import Serving, first_release, serving, versions_in
from dractl.phrases import listed


def served_findings(objects: Iterable[Sourced[Any]], release: str) -> Iterator[Finding]:
    """What is not served, or not by default: once for each kind and version.

    Where another version is to be written, every object of a manifest is to be changed and so named.
    """
    found: dict[_Written, list[Sourced[Any]]] = {}
    for each in objects:
        written = _Written(each.ref.kind, each.version, release)
        if written.serving is not Serving.BY_DEFAULT:
            found.setdefault(written, []).append(each)
    for written, members in found.items():
        change, keep = written.change(), written.keep()
        others = []
        for each in members:
            if change and not each.metadata.is_dump:
                yield _finding(each, Severity.WARNING, written.message(), change)
            else:
                others.append(each)
        if others:
            more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
            yield _finding(others[0], Severity.INFO, f"{written.message()}{more}", keep)


class _Written(Struct, frozen=True):
    """A kind in a version that is written somewhere, and the release that meets it."""

    kind: str
    version: str
    release: str

    @property
    def serving(self) -> Serving:
        """What the release does with it."""
        group, version = group_and_version(self.version)
        return serving(group, self.kind, version, self.release)

    def message(self) -> str:
        """What is wrong with it."""
        if self.serving is Serving.ON_REQUEST:
            return f"a default cluster does not serve {self.kind} in {self.version}"
        group, _ = group_and_version(self.version)
        has = versions_in(group, self.kind, self.release)
        only = f", only in {listed(has)}" if has else ""
        return f"Kubernetes {self.release} has no {self.kind} in {self.version}{only}"

    def change(self) -> str:
        """What to write instead; nothing where it can only be served on request."""
        group, _ = group_and_version(self.version)
        has = versions_in(group, self.kind, self.release) or ()
        best = next((each for each in has if kinds()[group, self.kind].version(each)), "")
        if best and serving(group, self.kind, best, self.release) is Serving.BY_DEFAULT:
            return f"write {api_version(group, best)}"
        if self.serving is Serving.ON_REQUEST:
            return ""
        if best:
            version = api_version(group, best)
            return f"write {version}, and start the API server with --runtime-config={version}=true"
        if has:
            return f"a cluster of that release needs {api_version(group, has[0])}, which dractl does not read"
        return f"it is there from Kubernetes {first_release(group, self.kind)} on"

    def keep(self) -> str:
        """What makes the server take the version as it is, if anything does."""
        change = self.change()
        if self.serving is Serving.NOT_AT_ALL:
            return change
        instead = f", or {change}" if change else ""
        return f"start the API server with --runtime-config={self.version}=true{instead}"


def _finding(sourced: Sourced[Any], severity: Severity, message: str, remedy: str) -> Finding:
    return Finding("reading/not-served", severity, message, sourced.place.at("apiVersion"), str(sourced.ref), remedy)
