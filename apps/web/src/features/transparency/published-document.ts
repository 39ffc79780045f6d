import { dataHashOf } from "@aqua/sdk/proofs/batch";
import { queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { freshness } from "../freshness.ts";

interface PublishedDocument {
  bytes: Uint8Array<ArrayBuffer>;
  /** The document's text; null if the document is not text. */
  text: string | null;
  type: string;
  /** True if the received bytes have the requested hash. */
  genuine: boolean;
}

async function load(hash: string, signal: AbortSignal): Promise<PublishedDocument> {
  const response = await api.document(hash, signal);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get("content-type") ?? "";
  return {
    bytes,
    text: type.startsWith("text/plain") ? new TextDecoder().decode(bytes) : null,
    type,
    genuine: dataHashOf(bytes) === hash.toLowerCase(),
  };
}

function documentOptions(hash: string, wanted: boolean) {
  return queryOptions({
    queryKey: ["document", hash],
    queryFn: wanted ? ({ signal }) => load(hash, signal) : skipToken,
    ...freshness.LAZY,
  });
}

/** Reads a document by the hash of its bytes, and computes that hash here. Does not fetch until `wanted` is true. */
export function usePublishedDocument(hash: string, wanted: boolean) {
  return useQuery(documentOptions(hash, wanted));
}
