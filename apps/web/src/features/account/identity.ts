import type { IdentityFields } from "@aqua/sdk/api/identity";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callsOver, connectionBy } from "../../connection.ts";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";
import { queryKeys } from "../query-keys.ts";

/** The decision arrives as an event; this polling interval, in milliseconds, covers a lost event. */
const pendingPace = 10_000;

/** State of the logged-in account's identity check. */
export function identityOptions() {
  return queryOptions({
    queryKey: [...queryKeys.me, "identity"],
    queryFn: ({ signal }) => api.identity(signal),
    ...freshness.LAZY,
    refetchInterval: (query) => (query.state.data?.status === "pending" ? pendingPace : false),
  });
}

export function useIdentity() {
  return useQuery(identityOptions());
}

/** Sends fields and document. `onProgress` receives the uploaded fraction, from 0 to 1. */
export function submitIdentity({
  fields,
  document,
  once,
  onProgress,
}: {
  fields: IdentityFields;
  document: File;
  once: string;
  onProgress: (share: number) => void;
}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("document", document);
  return callsOver(connectionBy(fetchWithProgress(onProgress))).submitIdentity(form, once);
}

/** Implements on XMLHttpRequest the subset of fetch that the client uses, because fetch reports no upload progress. */
export function fetchWithProgress(onProgress: (share: number) => void): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? "GET", String(input));
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onload = () => {
        const type = request.getResponseHeader("content-type") ?? "";
        resolve(new Response(request.responseText, { status: request.status, headers: { "content-type": type } }));
      };
      request.onerror = () => reject(new TypeError("The upload failed"));
      request.onabort = () => reject(new DOMException("The upload was given up", "AbortError"));
      const abort = () => request.abort();
      init.signal?.addEventListener("abort", abort, { once: true });
      // The listener is removed because the signal may belong to a timeout that outlasts the upload.
      request.onloadend = () => init.signal?.removeEventListener("abort", abort);
      request.send(init.body as FormData);
    });
}
