// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessManaged} from "@openzeppelin/contracts/access/manager/IAccessManaged.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ProductRegistry} from "../../src/ProductRegistry.sol";
import {PlainVault} from "../support/Assets.sol";
import {World} from "../support/World.sol";

contract ProductRegistryTest is World {
    address private product;

    function setUp() public {
        deployWorld();
        product = address(new PlainVault(IERC20(address(dollar))));
    }

    function list(string memory shortId, address product_, address asset) private {
        vm.prank(owner);
        products.list(shortId, product_, ProductRegistry.ProductType.TimeDeposit, asset, "texts");
    }

    function test_listing_opens_the_product_and_says_so() public {
        vm.expectEmit(address(products));
        emit ProductRegistry.ProductListed(product, address(dollar), "river-9", 1, "texts");
        list("river-9", product, address(dollar));
        (
            address listed,
            ProductRegistry.ProductType productType,
            address asset,
            ProductRegistry.Status status,
            bytes32 metadataHash
        ) = products.productOf("river-9");
        assertEq(listed, product, "product");
        assertEq(uint256(productType), uint256(ProductRegistry.ProductType.TimeDeposit), "type");
        assertEq(asset, address(dollar), "asset");
        assertEq(uint256(status), uint256(ProductRegistry.Status.Open), "status");
        assertEq(metadataHash, "texts", "metadata");
        assertTrue(products.isOpen(product), "open");
    }

    function test_a_short_id_is_never_used_twice_not_even_after_closing() public {
        closeProduct("solar-irrigation");
        vm.expectRevert(abi.encodeWithSelector(ProductRegistry.ShortIdTaken.selector, "solar-irrigation"));
        list("solar-irrigation", product, address(dollar));
    }

    function test_a_product_is_never_listed_twice() public {
        vm.expectRevert(abi.encodeWithSelector(ProductRegistry.ProductAlreadyListed.selector, address(vault)));
        list("another-name", address(vault), address(dollar));
    }

    function test_a_product_must_be_a_contract_that_names_the_asset() public {
        vm.expectRevert(abi.encodeWithSelector(ProductRegistry.InvalidProduct.selector, alice));
        list("wallet", alice, address(dollar));
        vm.expectRevert(abi.encodeWithSelector(ProductRegistry.InvalidProduct.selector, product));
        list("wrong-asset", product, alice);
    }

    function test_short_ids_have_1_to_32_characters_of_a_to_z_0_to_9_and_hyphen() public {
        string[9] memory bad = [
            "",
            "abcdefghijklmnopqrstuvwxyz0123456",
            "Solar",
            "so lar",
            "sol_ar",
            "solar/",
            unicode"é",
            "a`",
            "a{"
        ];
        for (uint256 i = 0; i < bad.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ProductRegistry.InvalidShortId.selector, bad[i]));
            list(bad[i], product, address(dollar));
        }
        list("abcdefghijklmnopqrstuvwxyz-01239", product, address(dollar));
        list("z", address(new PlainVault(IERC20(address(dollar)))), address(dollar));
    }

    function test_closing_and_opening_again() public {
        vm.expectEmit(address(products));
        emit ProductRegistry.ProductStatusChanged(address(vault), 1);
        closeProduct("solar-irrigation");
        assertTrue(!products.isOpen(address(vault)), "closed");
        openProduct("solar-irrigation");
        assertTrue(products.isOpen(address(vault)), "open");
    }

    function test_metadata_can_be_replaced() public {
        vm.expectEmit(address(products));
        emit ProductRegistry.ProductMetadataChanged(address(vault), "new texts");
        vm.prank(owner);
        products.setMetadata("solar-irrigation", "new texts");
        (,,,, bytes32 metadataHash) = products.productOf("solar-irrigation");
        assertEq(metadataHash, "new texts", "metadata");
    }

    function test_an_unknown_short_id_is_refused_everywhere() public {
        bytes memory refusal = abi.encodeWithSelector(ProductRegistry.UnknownProduct.selector, "nowhere");
        vm.expectRevert(refusal);
        products.productOf("nowhere");
        vm.expectRevert(refusal);
        openProduct("nowhere");
        vm.expectRevert(refusal);
        closeProduct("nowhere");
        vm.expectRevert(refusal);
        vm.prank(owner);
        products.setMetadata("nowhere", 0);
        assertTrue(!products.isOpen(alice), "an unknown product is not open");
    }

    function test_only_the_owner_lists_opens_and_commits_to_texts() public {
        bytes memory refusal = abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, guardian);
        vm.expectRevert(refusal);
        vm.prank(guardian);
        products.list("x", product, ProductRegistry.ProductType.DemandDeposit, address(dollar), 0);
        vm.expectRevert(refusal);
        vm.prank(guardian);
        products.open("solar-irrigation");
        vm.expectRevert(refusal);
        vm.prank(guardian);
        products.setMetadata("solar-irrigation", 0);
    }

    function test_only_the_guardian_closes() public {
        vm.expectRevert(abi.encodeWithSelector(IAccessManaged.AccessManagedUnauthorized.selector, owner));
        vm.prank(owner);
        products.close("solar-irrigation");
    }

    function test_opening_what_is_open_and_closing_what_is_closed_changes_nothing() public {
        openProduct("solar-irrigation");
        assertTrue(products.isOpen(address(vault)), "still open");
        closeProduct("solar-irrigation");
        closeProduct("solar-irrigation");
        assertTrue(!products.isOpen(address(vault)), "still closed");
    }
}
