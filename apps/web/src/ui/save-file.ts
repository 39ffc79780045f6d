/** Saves a file with the browser's download mechanism. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL only after they have handled the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
