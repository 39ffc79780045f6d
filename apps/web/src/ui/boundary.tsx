import { Component, type ReactNode } from "react";

/** Browsers word it differently when the code of a page is gone, as it is after a new version was put up. */
export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload css/i.test(
      error.message,
    )
  );
}

interface Props {
  children: ReactNode;
  /** Called with each error; it must reach the log. */
  onError: (error: unknown) => void;
  /** What is shown instead; `retry` renders the children anew. */
  fallback: (error: unknown, retry: () => void) => ReactNode;
}

interface State {
  failure: { error: unknown } | null;
}

/** Keeps an error of a part from taking the rest along, and says so in its place. */
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
