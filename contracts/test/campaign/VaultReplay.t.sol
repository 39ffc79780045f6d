// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Replay} from "../support/Replay.sol";
import {World} from "../support/World.sol";

/// @dev Repeats on the contracts what contracts/proofs/trace.ml ran through the model that the proofs are about: each
/// call must be refused where the model refuses it, and else move the same assets and shares and leave the same totals.
contract VaultReplayTest is World, Replay {
    uint256 private constant DEPOSIT = 1;
    uint256 private constant MINT = 2;
    uint256 private constant WITHDRAW = 3;
    uint256 private constant REDEEM = 4;
    uint256 private constant GAIN = 5;
    uint256 private constant LOSS = 6;
    uint256 private constant LOSS_TAKEN_BACK = 7;
    uint256 private constant WAIT = 8;
    uint256 private constant DEPLOY = 9;
    uint256 private constant REPAY = 10;
    uint256 private constant REQUEST = 11;
    uint256 private constant PROCESS = 12;
    uint256 private constant CLAIM = 13;
    uint256 private constant CLAIM_PART = 14;

    address[4] private wallets;

    function setUp() public {
        deployWorld();
        bindWallet(0xC0, 0xc0);
        bindWallet(0xD0, 0xd0);
        wallets = [alice, bob, vm.addr(0xC0), vm.addr(0xD0)];
        vm.prank(owner);
        vault.setMinDeposit(0);
        vm.prank(owner);
        vault.setCap(type(uint96).max);
        vm.prank(owner);
        vault.setCustodian(custodian, 0.1e18);
        setFee(0.1e18);
        for (uint256 i = 0; i < wallets.length; ++i) {
            fund(wallets[i], type(uint96).max);
        }
        fund(reporter, type(uint96).max);
        fund(custodian, 0);
    }

    function test_the_vault_does_what_the_proven_model_does() public {
        replayAll("vault-model");
    }

    /// @dev call, wallet, amount and, where it is not refused: assets, shares, totalAssets, held, money set aside.
    function repeat(uint256[] memory row, string memory where) internal override {
        (bool done, uint256 assets, uint256 shares) = call(row[0], wallets[row[1]], row[2]);
        require(done == (row.length > 3), string.concat(where, done ? ": is not refused" : ": is refused"));
        if (!done) return;
        assertEq(assets, row[3], where);
        assertEq(shares, row[4], where);
        assertEq(vault.totalAssets(), row[5], where);
        assertEq(heldNow(), row[6], where);
        // Fees lie in the vault until they are skimmed; without any, this is refused.
        tries(treasury, address(vault), abi.encodeCall(vault.skim, ()));
        uint256 money = dollar.balanceOf(address(vault)) + dollar.balanceOf(address(queue));
        assertEq(money, row[6] - vault.desk().deployed + row[7], where);
    }

    function call(uint256 kind, address who, uint256 amount)
        private
        returns (bool done, uint256 assets, uint256 shares)
    {
        if (kind == WAIT) {
            skip(amount);
            return (true, 0, 0);
        }
        uint256 supply = vault.totalSupply();
        uint256 held = heldNow();
        if (kind == GAIN || kind == LOSS || kind == LOSS_TAKEN_BACK) {
            report(kind, amount);
            return (true, difference(held, heldNow()), supply - vault.totalSupply());
        }
        if (kind == REQUEST) {
            uint256 queued = vault.balanceOf(address(queue));
            done = tries(who, address(queue), abi.encodeCall(queue.requestRedeem, (amount, who, who)));
            return (done, 0, vault.balanceOf(address(queue)) - queued);
        }
        if (kind == PROCESS) {
            done = tries(who, address(queue), abi.encodeCall(queue.process, ()));
            return (done, held - heldNow(), supply - vault.totalSupply());
        }
        address payer = kind == DEPLOY || kind == REPAY ? custodian : who;
        uint256 money = dollar.balanceOf(payer);
        done = kind == CLAIM || kind == CLAIM_PART ? claimed(kind, who, amount) : traded(kind, who, amount);
        return (done, difference(money, dollar.balanceOf(payer)), difference(supply, vault.totalSupply()));
    }

    function traded(uint256 kind, address who, uint256 amount) private returns (bool) {
        address to = address(vault);
        if (kind == DEPOSIT) return tries(who, to, abi.encodeWithSignature("deposit(uint256,address)", amount, who));
        if (kind == MINT) return tries(who, to, abi.encodeCall(vault.mint, (amount, who)));
        if (kind == DEPLOY) return tries(treasurer, to, abi.encodeCall(vault.deploy, (amount)));
        if (kind == REPAY) return tries(custodian, to, abi.encodeCall(vault.repay, (amount)));
        bool withdraws = kind == WITHDRAW;
        require(withdraws || kind == REDEEM, "no such call");
        string memory name = withdraws ? "withdraw(uint256,address,address)" : "redeem(uint256,address,address)";
        return tries(who, to, abi.encodeWithSignature(name, amount, who, who));
    }

    function claimed(uint256 kind, address who, uint256 amount) private returns (bool) {
        if (kind == CLAIM) return tries(who, address(queue), abi.encodeCall(queue.claim, (who, who)));
        return tries(who, address(queue), abi.encodeCall(queue.withdraw, (amount, who, who)));
    }

    /// @dev Reports `amount`; the confirmer lets every loss be reviewed, and ends every review at once.
    function report(uint256 kind, uint256 amount) private {
        if (kind == GAIN) {
            vm.prank(reporter);
            return vault.report(int256(amount), time(), "evidence");
        }
        allowReview();
        reportLoss(amount);
        (, uint64 until) = vault.reviewedLoss();
        if (kind == LOSS_TAKEN_BACK) {
            vm.prank(confirmer);
            vault.takeBackLoss();
        } else if (until > time()) {
            vm.prank(confirmer);
            vault.confirmLoss();
        }
    }

    function heldNow() private view returns (uint256) {
        (int256 settled, uint256 streaming,,) = vault.stream();
        return uint256(settled + int256(streaming));
    }

    function tries(address who, address to, bytes memory data) private returns (bool done) {
        vm.prank(who);
        (done,) = to.call(data);
    }

    function difference(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a - b : b - a;
    }
}
