import { Component, type ErrorInfo, type ReactNode } from "react";
import { t } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

interface Props {
  children: ReactNode;
}
interface PageProps extends Props {
  /** Forgets what may have broken the page, before it is shown again. */
  onRetry?: () => void;
}
interface State {
  error: unknown;
  failed: boolean;
}

/** Browsers word it differently when the code of a page is gone, as it is after a new version was put up. */
export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload css/i.test(
      error.message,
    )
  );
}

/** Keeps header and footer standing when a page breaks. The layout gives it a new key at every navigation. */
export class PageErrorBoundary extends Component<PageProps, State> {
  override state: State = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  private retry = () => {
    this.props.onRetry?.();
    this.setState({ error: null, failed: false });
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    const missing = isMissingChunk(this.state.error);
    return (
      <div className="page py-16">
        <Notice
          look={missing ? "info" : "error"}
          live="alert"
          title={t(missing ? "shell.broken.newVersionTitle" : "shell.broken.title")}
          className="mx-auto max-w-[640px]"
          actions={
            <>
              {!missing && (
                <Button size="small" onClick={this.retry}>
                  {t("ui.retry")}
                </Button>
              )}
              <Button size="small" look={missing ? "primary" : "secondary"} onClick={() => location.reload()}>
                {t("shell.broken.reload")}
              </Button>
            </>
          }
        >
          {t(missing ? "shell.broken.newVersion" : "shell.broken.text")}
        </Notice>
      </div>
    );
  }
}

interface QuietProps extends Props {
  /** What stands in the place of a part that broke. Default: nothing. */
  fallback?: ReactNode;
}

/** For parts a page stands without. */
export class QuietBoundary extends Component<QuietProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    return this.state.failed ? (this.props.fallback ?? null) : this.props.children;
  }
}
