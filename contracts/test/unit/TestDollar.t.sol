// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestDollar} from "../../src/local/TestDollar.sol";
import {World} from "../support/World.sol";

contract TestDollarTest is World {
    function setUp() public {
        deployWorld();
    }

    function test_anyone_may_use_the_faucet_on_the_local_chain() public {
        vm.prank(carol);
        dollar.mint(carol, 5 * DOLLAR);
        assertEq(dollar.balanceOf(carol), 5 * DOLLAR, "balance");
        assertEq(dollar.decimals(), 6, "decimals");
        assertEq(keccak256(bytes(dollar.symbol())), keccak256("tUSD"), "symbol");
    }

    function test_it_cannot_be_deployed_or_minted_anywhere_else() public {
        vm.chainId(1);
        vm.expectRevert(abi.encodeWithSelector(TestDollar.LocalChainOnly.selector, 1));
        deploy("TestDollar", "");
        vm.expectRevert(abi.encodeWithSelector(TestDollar.LocalChainOnly.selector, 1));
        dollar.mint(carol, 1);
    }
}
