import { Component, type ReactNode } from "react";
import { t } from "../i18n/i18n.ts";

/** True if the code of a page is missing, for example after a deployment. Browsers use different messages for this. */
export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload css/i.test(
      error.message,
    )
  );
}

/**
 * Explains why a part's code or texts could not be loaded. After a deployment the server no longer has the old files.
 */
export function loadFailure(error: unknown): string {
  return t(isMissingChunk(error) ? "shell.broken.newVersion" : "ui.error.offline");
}

interface Props {
  children: ReactNode;
  /** Called with each error. It must log the error. */
  onError: (error: unknown) => void;
  /** Rendered in place of the children after an error. `retry` renders the children again. */
  fallback: (error: unknown, retry: () => void) => ReactNode;
}

interface State {
  failure: { error: unknown } | null;
}

/** Contains an error of its children and shows the fallback in their place. */
export class Boundary extends Component<Props, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  private readonly retry = () => this.setState({ failure: null });

  override render() {
    const { failure } = this.state;
    return failure === null ? this.props.children : this.props.fallback(failure.error, this.retry);
  }
}
