// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @dev A plain asset with any number of decimals.
contract PlainAsset is ERC20 {
    uint8 private immutable _decimals;

    constructor(uint8 decimals_) ERC20("Plain", "PLN") {
        _decimals = decimals_;
    }

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}

/// @dev Keeps one per cent of every transfer between holders.
contract FeeAsset is PlainAsset {
    constructor() PlainAsset(6) {}

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0) && to != address(0)) {
            super._update(from, address(0), value / 100);
            value -= value / 100;
        }
        super._update(from, to, value);
    }
}

/// @dev Returns false where another asset would revert, and moves nothing.
contract FalseAsset is PlainAsset {
    constructor() PlainAsset(6) {}

    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// @dev Returns nothing from transfers, as an old and much used dollar does.
contract SilentAsset {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    uint8 public constant decimals = 6;

    function mint(address account, uint256 amount) external {
        balanceOf[account] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// @dev Moves nothing from or to an account that its issuer blocks.
contract RefusingAsset is PlainAsset {
    mapping(address => bool) public refused;
    bool private _skipsNext;
    uint256 private _fee;

    error Refused(address account);

    constructor() PlainAsset(6) {}

    function refuse(address account, bool refused_) external {
        refused[account] = refused_;
    }

    /// @dev From now on each transfer burns `fee` of what it moves.
    function chargeFee(uint256 fee) external {
        _fee = fee;
    }

    /// @dev The next transfer answers false and moves nothing; those after it work.
    function skipNext() external {
        _skipsNext = true;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        if (_skipsNext) return _skipsNext = false;
        return super.transfer(to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (refused[from]) revert Refused(from);
        if (refused[to]) revert Refused(to);
        super._update(from, to, value);
        if (_fee > 0 && from != address(0) && to != address(0)) super._update(to, address(0), _fee);
    }
}

/// @dev Calls back whoever was named, with whatever was given, in the middle of a transfer between holders, once.
contract HookedAsset is PlainAsset {
    address private _target;
    bytes private _call;
    bool public reached;
    bool public succeeded;
    bytes public answer;

    constructor(uint8 decimals_) PlainAsset(decimals_) {}

    function arm(address target, bytes calldata call_) external {
        _target = target;
        _call = call_;
    }

    /// @dev Reverts with the reason of the callback that failed last, which the transfer it came in survived.
    function rethrow() external view {
        if (!reached || succeeded) return;
        bytes memory reason = answer;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    function _update(address from, address to, uint256 value) internal override {
        address target = _target;
        if (target != address(0) && from != address(0)) {
            _target = address(0);
            reached = true;
            (succeeded, answer) = target.call(_call);
        }
        super._update(from, to, value);
    }
}

/// @dev Refuses to move nothing.
contract SomethingAsset is PlainAsset {
    constructor() PlainAsset(6) {}

    function _update(address from, address to, uint256 value) internal override {
        require(value > 0, "nothing to move");
        super._update(from, to, value);
    }
}

/// @dev OpenZeppelin's ERC-4626 as it comes, with our offset: the yardstick of the differential test.
contract PlainVault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Yardstick", "YARD") ERC4626(asset_) {}

    function _decimalsOffset() internal pure override returns (uint8) {
        return 6;
    }
}
