import { stat } from "node:fs/promises";
import type { Role } from "@aqua/contracts/deploy/roles";
import { type Address, getAddress } from "viem";
import { CommandError } from "../api.ts";
import { keystoreAddress } from "../keystore.ts";
import type { Terminal } from "../terminal.ts";
import { type Finding, failed, ok } from "./finding.ts";

/** Settings of keys, and the role on every chain that the key needs; null where there is none, or one of several. */
const roleOf: Record<string, Role | null> = {
  ATTESTER_PRIVATE_KEY: "attester",
  REGISTRAR_PRIVATE_KEY: "registrar",
  REPORTER_PRIVATE_KEY: "reporter",
  TREASURER_PRIVATE_KEY: "treasurer",
  GUARDIAN_PRIVATE_KEY: "guardian",
  CONFIRMER_PRIVATE_KEY: "confirmer",
  OWNER_PRIVATE_KEY: "owner",
  CUSTODIAN_PRIVATE_KEY: null,
  KEEPER_PRIVATE_KEY: null,
  DEPLOYER_KEY: null,
  PRODUCT_KEY: null,
  OPERATOR_KEY: null,
};

/** The account of a keystore that needs a role on every chain. */
export interface RoleAccount {
  role: Role;
  address: Address;
}

/**
 * Reads each keystore that a setting names, without its passphrase.
 * @param operatorKeys addresses in OPERATOR_KEYS, in small letters
 */
export async function checkKeystores(
  environment: Terminal["environment"],
  operatorKeys: readonly string[],
): Promise<{ findings: Finding[]; accounts: RoleAccount[] }> {
  const findings: Finding[] = [];
  const accounts: RoleAccount[] = [];
  const settingOf = (name: string) => environment[name]?.trim() ?? "";
  for (const [keySetting, role] of Object.entries(roleOf)) {
    const name = keySetting.replace(/(_PRIVATE)?_KEY$/, "");
    const [setting, secret] = [`${name}_KEYSTORE`, `${name}_PASSPHRASE_FILE`];
    const file = settingOf(setting);
    if (file === "") continue;
    if (settingOf(keySetting) !== "")
      findings.push(failed(setting, `${setting} and ${keySetting} are both set`, "unset one of them"));
    else {
      const { finding, address } = await checkKeystore(setting, file);
      const isUnknown =
        setting === "OPERATOR_KEYSTORE" &&
        address !== null &&
        operatorKeys.length > 0 &&
        !operatorKeys.includes(address.toLowerCase());
      findings.push(
        isUnknown ? failed(setting, `${finding.says}, which is not in OPERATOR_KEYS`, `add ${address} there`) : finding,
      );
      if (role !== null && address !== null) accounts.push({ role, address });
    }
    if (settingOf(secret) !== "")
      findings.push((await exposed(secret, settingOf(secret))) ?? ok(secret, "only its owner can open it"));
  }
  return { findings, accounts };
}

async function checkKeystore(setting: string, file: string): Promise<{ finding: Finding; address: Address | null }> {
  const open = await exposed(setting, file);
  if (open !== null) return { finding: open, address: null };
  try {
    const named = await keystoreAddress(file);
    const address = named === null ? null : getAddress(named);
    const says = `${file} is a keystore ${address === null ? "that names no address" : `of ${address}`}`;
    return { finding: ok(setting, says), address };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const next = "use a copy of the keystore: docs/operators/keys.md";
    return { finding: failed(setting, error.message, next), address: null };
  }
}

/** What is wrong with a file that only its owner may open; null if nothing is. Windows has no such modes. */
async function exposed(setting: string, file: string): Promise<Finding | null> {
  try {
    const { mode } = await stat(file);
    if (process.platform === "win32" || (mode & 0o077) === 0) return null;
    return failed(setting, `other users can open ${file}`, `chmod 600 ${file}`);
  } catch (error) {
    const says = `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`;
    return failed(setting, says, `correct ${setting}, or restore the file`);
  }
}
