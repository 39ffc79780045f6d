import type { CDPSession } from "@playwright/test";

/** A device that creates and stores passkeys. Its owner confirms requests that begin while `present`. */
export async function addAuthenticator(
  devices: CDPSession,
): Promise<{ id: string; present: (is: boolean) => Promise<void> }> {
  await devices.send("WebAuthn.enable");
  const { authenticatorId: id } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    id,
    present: async (enabled) =>
      void (await devices.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled })),
  };
}
