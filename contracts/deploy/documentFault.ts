import { faultText, readDocument } from "@aqua/sdk/api/documentFile";

/**
 * What keeps a text from being the document of a product, in words that follow the file's name: the first line at fault,
 * or the product it is about instead. Null where nothing does. Once the registry holds the hash of such a text the
 * product's page is empty.
 */
export function documentFault(text: string, shortId: string): string | null {
  const { document, faults, unknown } = readDocument(text);
  const [fault, ...others] = [...faults, ...unknown].map(faultText);
  if (fault !== undefined) return `, ${fault}${others.length === 0 ? "" : `, and ${others.length} more`}`;
  if (document === null || document.short_id === shortId) return null;
  return ` is the document of ${document.short_id}, not of ${shortId}`;
}
