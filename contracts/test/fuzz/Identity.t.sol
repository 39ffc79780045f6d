// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IdentityRegistry} from "../../src/IdentityRegistry.sol";
import {IdentityWorld} from "../support/IdentityWorld.sol";

contract IdentityFuzz is IdentityWorld {
    uint64 private constant UNTIL = START + 3650 days;

    function setUp() public {
        deployWorld();
        bindWallet(SPARE_KEY, ALICE);
    }

    /// @dev What a wallet signs for one purpose serves no other, wherever the text is cut into its parts.
    function testFuzz_a_signature_serves_the_purpose_it_names_and_no_other(
        bytes calldata before,
        bytes calldata afterwards,
        uint8 purpose,
        bool switching
    ) public {
        bytes memory request = identities.requestLine(ALICE);
        bytes[3] memory lines = [bytes(""), identities.switchLine(alice), identities.recoveryLine(alice)];
        uint256 signedFor = purpose % 3;
        bytes memory text = bytes.concat(before, lines[signedFor], afterwards, request);
        bytes memory signed = personalSign(SPARE_KEY, text);
        if (signedFor != (switching ? 1 : 2)) refuses(IdentityRegistry.InvalidWalletSignature.selector, spare);
        vm.prank(switching ? alice : attester);
        if (switching) identities.switchWallet(spare, before, afterwards, signed);
        else identities.proposeRecovery(alice, spare, before, afterwards, signed);
    }

    function testFuzz_a_signature_names_one_old_wallet_and_one_subject(address named, uint128 subject) public {
        bool right = named == alice && subject == ALICE;
        bytes memory signed = recoverySignature(SPARE_KEY, named, subject);
        if (!right) refuses(IdentityRegistry.InvalidWalletSignature.selector, spare);
        proposeSigned(alice, spare, signed);
    }

    function testFuzz_a_recovery_is_executed_between_72_hours_and_14_days_later_and_at_no_other_time(
        uint256 wait
    ) public {
        propose(alice, SPARE_KEY);
        wait = within(wait, 0, 30 days);
        skip(wait);
        bool due = wait >= 72 hours && wait <= 72 hours + 14 days;
        (bool done,) = address(identities).call(abi.encodeCall(identities.executeRecovery, (alice)));
        assertTrue(done == due, "executed when due");
        assertEq(identities.successorOf(alice), due ? spare : address(0), "successor");
    }

    function testFuzz_a_retired_wallet_stays_retired_whatever_is_tried_and_whenever(
        uint256 wait,
        uint128 subject,
        uint64 validUntil,
        uint8 call_
    ) public {
        switchTo(alice, FRESH_KEY);
        skip(within(wait, 0, 36500 days));
        bytes memory signed = signature(ALICE_KEY, subject);
        bytes[7] memory calls = [
            abi.encodeCall(identities.bind, (alice, subject, validUntil, 1, 1, MESSAGE, signed)),
            abi.encodeCall(identities.renew, (alice, validUntil)),
            abi.encodeCall(identities.revoke, (alice)),
            abi.encodeCall(identities.freeze, (alice)),
            abi.encodeCall(identities.unfreeze, (alice)),
            abi.encodeCall(identities.vetoRecovery, ()),
            abi.encodeCall(identities.executeRecovery, (alice))
        ];
        address[7] memory callers = [attester, attester, attester, guardian, owner, alice, carol];
        vm.prank(callers[call_ % 7]);
        (bool done,) = address(identities).call(calls[call_ % 7]);
        assertTrue(!done, "refused");
        assertRetired(alice, fresh);
    }

    /// @dev A chain of any length leads from each of its links to its end, and all of it stays with one subject.
    function testFuzz_chains_of_successors_lead_to_their_end(uint8 length) public {
        uint256 links = within(length, 1, 24);
        for (uint256 i = 0; i < links; ++i) {
            switchTo(i == 0 ? alice : vm.addr(0xC0DE + i - 1), 0xC0DE + i);
        }
        address last = vm.addr(0xC0DE + links - 1);
        assertEq(identities.successorOf(alice), last, "of the first");
        for (uint256 i = 0; i < links; ++i) {
            assertEq(identities.successorOf(vm.addr(0xC0DE + i)), i + 1 < links ? last : address(0), "of a link");
            assertEq(identities.recordOf(vm.addr(0xC0DE + i)).subject, ALICE, "subject");
        }
        assertEq(identities.recordOf(last).validUntil, UNTIL, "the record came along");
    }
}
