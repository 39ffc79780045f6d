import {
  type AvatarComponent,
  type DisclaimerComponent,
  RainbowKitAuthenticationProvider,
  RainbowKitProvider,
} from "@rainbow-me/rainbowkit";
import { type ComponentType, lazy, memo, Suspense, useEffect, useState } from "react";
import { reportError } from "../../report-error.ts";
import "@rainbow-me/rainbowkit/styles.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { WagmiProvider } from "wagmi";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { defaultLanguage, isLanguage } from "../../i18n/languages.ts";
import { appName, type IslandSetup, prepareIsland } from "../connect/config.ts";
import { useDisconnectEverywhere, useShownWallet } from "./account.ts";
import { type Authentication, useAuthentication } from "./authentication.ts";
import { Controls, type IslandControls } from "./controls.tsx";
import { CrashBoundary } from "./crash.tsx";
import { FollowOnceConnected } from "./following.tsx";
import { useServedName } from "./names.ts";
import { watchDialogs } from "./repairs.ts";
import { kitTheme } from "./theme.ts";

/** Loads with the first avatar, because the connect dialog has none. If it cannot be loaded, the avatar is empty. */
const WalletFace = lazy<ComponentType<{ address: string }>>(() =>
  import("../../ui/wallet-face.tsx").then(
    (module) => ({ default: module.WalletFace }),
    (error: unknown) => {
      reportError("wallet", error);
      return { default: () => null };
    },
  ),
);

/** The header's avatar in the kit's sizes. It is drawn from the address, without a request. */
const Avatar: AvatarComponent = ({ address, size }) => (
  <span aria-hidden="true" className="block bg-surface [&>svg]:size-full" style={{ width: size, height: size }}>
    <Suspense>
      <WalletFace address={address} />
    </Suspense>
  </span>
);

const mainnetId = 1;

/** The specification's stale time of queries, in milliseconds. */
const staleTime = 10 * 60 * 1_000;
const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime } } });

const MissingWallets: DisclaimerComponent = ({ Text }) => <Text>{t("wallet.withoutWalletConnect")}</Text>;

const DemoSheet = __DEMO__ ? lazy(() => import("../demo/sheet.tsx")) : null;

/** Must have resolved before the island is mounted. Rejects if the server does not answer. */
export async function prepare(): Promise<IslandSetup> {
  return prepareIsland();
}

interface IslandProps {
  setup: IslandSetup;
  /** Called by the first effect of the mounted island, also after a crash. */
  onReady: (controls: IslandControls) => void;
  /** Called after a crash. The controls are unusable until `revive` has mounted the kit again. */
  onCrash: (revive: () => void) => void;
}

/** Renders exactly once, with constant props, because wagmi's provider drops all connections if it renders again. */
export const Island = memo(function Island(props: IslandProps) {
  useEffect(watchDialogs, []);
  return (
    <WagmiProvider config={props.setup.config} reconnectOnMount={false}>
      <Connected {...props} />
    </WagmiProvider>
  );
});

/** The kit, and around it the parts that continue if the kit crashes. */
function Connected({ setup, onReady, onCrash }: IslandProps) {
  const authentication = useAuthentication();
  useShownWallet(authentication.status);
  useDisconnectEverywhere();
  return (
    <>
      <FollowOnceConnected />
      <CrashBoundary onCrash={onCrash}>
        <QueryClientProvider client={queryClient}>
          <Kit setup={setup} authentication={authentication} onReady={onReady} />
        </QueryClientProvider>
        {DemoSheet && (
          <Suspense>
            <DemoSheet />
          </Suspense>
        )}
      </CrashBoundary>
    </>
  );
}

/** The width in CSS pixels below which a window gets the kit's compact dialog. */
const wideFrom = 768;

/**
 * The size of the kit's dialog until the window is resized. The kit measures the window only 500 ms after it is
 * mounted. Until then its wide dialog would be cut off in a narrow window.
 */
function useFirstSize(): "compact" | "wide" {
  const [size, setSize] = useState<"compact" | "wide">(() => (innerWidth < wideFrom ? "compact" : "wide"));
  useEffect(() => {
    const leaveToKit = () => setSize("wide");
    addEventListener("resize", leaveToKit, { once: true });
    return () => removeEventListener("resize", leaveToKit);
  }, []);
  return size;
}

/** The kit in the chosen language, with the current sign-in status. */
function Kit({ setup, authentication, onReady }: Omit<IslandProps, "onCrash"> & { authentication: Authentication }) {
  const { config, network, lacksWalletConnect } = setup;
  useServedName(network.name_service && !config.chains.some(({ id }) => id === mainnetId));
  const language = useLanguage();
  const modalSize = useFirstSize();
  return (
    <RainbowKitAuthenticationProvider adapter={authentication.adapter} status={authentication.status}>
      <RainbowKitProvider
        theme={kitTheme}
        avatar={Avatar}
        locale={isLanguage(language) ? language : defaultLanguage}
        showRecentTransactions
        modalSize={modalSize}
        appInfo={{
          appName,
          learnMoreUrl: `${location.origin}/about`,
          ...(lacksWalletConnect ? { disclaimer: MissingWallets } : {}),
        }}
      >
        <Controls authentication={authentication} onReady={onReady} />
      </RainbowKitProvider>
    </RainbowKitAuthenticationProvider>
  );
}
