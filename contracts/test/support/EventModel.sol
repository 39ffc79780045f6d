// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IDemandVault} from "../../src/vault/IDemandVault.sol";
import {Vm} from "./Vm.sol";

/// @dev An observer that knows nothing but a vault's logs and rebuilds its balances and totalAssets(t) from them. It
/// is written without the vault's own formulas: it counts what is settled, the vault what is not yet streamed.
contract EventModel {
    address private immutable _vault;

    int256 private _settled;
    uint256 private _streaming;
    uint256 private _start;
    uint256 private _end;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    uint256 public cap;
    uint256 public minDeposit;
    uint256 public pausedUntil;
    uint256 public asOf;
    uint256 public deployed;
    uint256 public lossUntil;
    uint256 public evidenceUntil;
    uint256 public fees;
    uint256 public skimmed;

    constructor(address vault) {
        _vault = vault;
    }

    function feed(Vm.Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter == _vault) _apply(logs[i].topics, logs[i].data);
        }
    }

    function totalAssets(uint256 time) public view returns (uint256) {
        uint256 passed = time >= _end ? _streaming : _streaming * (time - _start) / (_end - _start);
        int256 total = _settled + int256(passed);
        require(total >= 0, "the model fell below zero");
        return uint256(total);
    }

    function _apply(bytes32[] calldata topics, bytes calldata data) private {
        bytes32 kind = topics[0];
        if (kind == IERC20.Transfer.selector) {
            _move(_account(topics[1]), _account(topics[2]), abi.decode(data, (uint256)));
        } else if (kind == IERC4626.Deposit.selector) {
            (uint256 assets,) = abi.decode(data, (uint256, uint256));
            _settled += int256(assets);
        } else if (kind == IERC4626.Withdraw.selector) {
            (uint256 assets,) = abi.decode(data, (uint256, uint256));
            _settled -= int256(assets);
        } else if (kind == IDemandVault.Reported.selector) {
            _report(data);
        } else if (kind == IDemandVault.LossReviewed.selector) {
            lossUntil = abi.decode(data, (uint256));
        } else if (kind == IDemandVault.LossTakenBack.selector) {
            (,,,,, lossUntil) = abi.decode(data, (uint256, int256, uint256, uint256, uint256, uint256));
            _giveBack(data);
        } else if (kind == IDemandVault.LossRestored.selector) {
            _giveBack(data);
        } else if (kind == IDemandVault.EvidenceRenewed.selector) {
            (, evidenceUntil) = abi.decode(data, (bytes32, uint256));
        } else if (kind == IDemandVault.Deployed.selector) {
            deployed += abi.decode(data, (uint256));
        } else if (kind == IDemandVault.Repaid.selector) {
            deployed -= abi.decode(data, (uint256));
        } else if (kind == IDemandVault.FeeTaken.selector) {
            fees += abi.decode(data, (uint256));
        } else if (kind == IDemandVault.Skimmed.selector) {
            skimmed += abi.decode(data, (uint256));
        } else if (kind == IDemandVault.VaultCreated.selector) {
            (,,,,, asOf) = abi.decode(data, (address, address, uint256, uint256, uint256, uint256));
        } else if (kind == IDemandVault.CapChanged.selector) {
            cap = abi.decode(data, (uint256));
        } else if (kind == IDemandVault.MinDepositChanged.selector) {
            minDeposit = abi.decode(data, (uint256));
        } else if (kind == IDemandVault.PausedUntil.selector) {
            pausedUntil = abi.decode(data, (uint256));
        }
    }

    function _report(bytes calldata data) private {
        (int256 delta, uint256 asOf_,, int256 settled, uint256 streaming, uint256 start, uint256 end) =
            abi.decode(data, (int256, uint256, bytes32, int256, uint256, uint256, uint256));
        if (delta < 0) {
            deployed -= uint256(-delta);
            if (settled < int256(totalAssets(start))) lossUntil = start + 1 days;
        }
        (asOf, _settled, _streaming, _start, _end) = (asOf_, settled, streaming, start, end);
    }

    function _giveBack(bytes calldata data) private {
        uint256 assets;
        (assets, _settled, _streaming, _start, _end) = abi.decode(data, (uint256, int256, uint256, uint256, uint256));
        deployed += assets;
    }

    function _move(address from, address to, uint256 value) private {
        if (from == address(0)) totalSupply += value;
        else balanceOf[from] -= value;
        if (to == address(0)) totalSupply -= value;
        else balanceOf[to] += value;
    }

    function _account(bytes32 topic) private pure returns (address) {
        return address(uint160(uint256(topic)));
    }
}
