// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {TermDeposit} from "../../src/TermDeposit.sol";
import {ReceiptRenderer} from "../../src/term/ReceiptRenderer.sol";
import {Receipts} from "../../src/term/Receipts.sol";
import {TermBooks} from "../../src/term/TermBooks.sol";
import {TermEvents} from "../../src/term/TermEvents.sol";
import {Text} from "../../src/term/Text.sol";
import {Vm} from "../support/Vm.sol";
import {TermWorld} from "../support/TermWorld.sol";

/// @dev An asset that answers what a test puts into it, or fails with that.
contract NamedAsset {
    bytes public answer;
    bytes public decimalsAnswer;
    bool public failing;

    function set(bytes calldata answer_, bytes calldata decimalsAnswer_) external {
        (answer, decimalsAnswer) = (answer_, decimalsAnswer_);
    }

    function fail() external {
        failing = true;
    }

    function symbol() external view {
        say(answer);
    }

    function decimals() external view {
        say(decimalsAnswer);
    }

    function say(bytes memory words) private view {
        if (words.length == 0) revert("says nothing");
        if (failing) {
            assembly ("memory-safe") {
                revert(add(words, 32), mload(words))
            }
        }
        assembly ("memory-safe") {
            return(add(words, 32), mload(words))
        }
    }
}

/// @dev A time deposit with one receipt, as the renderer sees it.
contract PlainProduct {
    string public name;
    address public asset;
    string public constant symbol = "aqX";
    TermDeposit.Deposit private _deposit;
    uint256 private _paid;
    TermDeposit.Term private _term;
    uint256 private _claims;

    constructor(string memory name_, address asset_, uint256 principal) {
        (name, asset) = (name_, asset_);
        _deposit = TermBooks.Deposit(principal, 1_800_000_000, 1_800_000_000 + 90 days, 0, Receipts.ACTIVE, 0, 0);
        _term.rate = 0.06e18;
    }

    function set(TermDeposit.Deposit calldata deposit, uint256 paid, uint64 rate, uint256 claims) external {
        (_deposit, _paid, _term.rate, _claims) = (deposit, paid, rate, claims);
    }

    function receiptOf(uint256) external view returns (TermDeposit.Deposit memory, uint256) {
        return (_deposit, _paid);
    }

    function termOf(uint256) external view returns (TermDeposit.Term memory) {
        return _term;
    }

    function books() external view returns (TermDeposit.Books memory made) {
        made.claims = _claims;
    }
}

/// @dev A product without receipts, which answers a call for one as a test wants.
contract OtherProduct {
    string public constant name = "Other";
    string public constant symbol = "OTH";
    address public immutable asset;
    bytes private _answer;
    bool private _fails;

    constructor(address asset_, bytes memory answer, bool fails) {
        (asset, _answer, _fails) = (asset_, answer, fails);
    }

    fallback(bytes calldata) external returns (bytes memory) {
        bytes memory answer = _answer;
        if (!_fails) return answer;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}

/// @dev What receipts and products say of themselves: JSON and SVG that parse whatever the texts, and figures that are
/// those of the contract.
contract ReceiptRendererTest is TermWorld {
    string private constant JSON_HEAD = "data:application/json;base64,";
    string private constant SVG_HEAD = "data:image/svg+xml;base64,";

    NamedAsset private asset;

    function setUp() public {
        deployTermWorld();
        asset = new NamedAsset();
        asset.set(abi.encode("tUSD"), abi.encode(6));
    }

    // ── Taking apart ────────────────────────────────────────────────────────────────────────────────────────────────

    function content(string memory uri, string memory head) private pure returns (string memory) {
        bytes memory whole = bytes(uri);
        uint256 start = bytes(head).length;
        for (uint256 i = 0; i < start; ++i) {
            require(whole[i] == bytes(head)[i], "another kind of URI");
        }
        bytes memory rest = new bytes(whole.length - start);
        for (uint256 i = 0; i < rest.length; ++i) {
            rest[i] = whole[start + i];
        }
        return string(Base64.decode(string(rest)));
    }

    function has(string memory text, string memory part) private pure returns (bool) {
        (bytes memory a, bytes memory b) = (bytes(text), bytes(part));
        for (uint256 i = 0; i + b.length <= a.length; ++i) {
            uint256 j;
            while (j < b.length && a[i + j] == b[j]) ++j;
            if (j == b.length) return true;
        }
        return false;
    }

    function attribute(string memory json, uint256 i) private pure returns (string memory) {
        string memory place = string.concat(".attributes[", vm.toString(i));
        string memory trait = vm.parseJsonString(json, string.concat(place, "].trait_type"));
        return string.concat(trait, ": ", vm.parseJsonString(json, string.concat(place, "].value")));
    }

    /// @dev Tags are closed in order, attributes quoted, and & begins an entity everywhere.
    function checkXml(string memory svg) private pure {
        bytes memory x = bytes(svg);
        uint256[32] memory open;
        uint256 depth;
        uint256 i;
        while (i < x.length) {
            if (x[i] != "<") {
                require(x[i] != ">" && x[i] != '"', "a mark in a text");
                i = afterCharacter(x, i);
                continue;
            }
            bool closing = x[++i] == "/";
            if (closing) ++i;
            uint256 name;
            while (x[i] != ">" && x[i] != " " && x[i] != "/") name = name << 8 | uint8(x[i++]);
            bool quoted;
            while (quoted || x[i] != ">") {
                if (x[i] == '"') quoted = !quoted;
                require(x[i] != "<", "a tag in a tag");
                i = quoted ? afterCharacter(x, i) : i + 1;
            }
            if (closing) require(depth > 0 && open[--depth] == name, "closes another tag");
            else if (x[i - 1] != "/") open[depth++] = name;
            ++i;
        }
        require(depth == 0, "a tag stays open");
    }

    function afterCharacter(bytes memory x, uint256 i) private pure returns (uint256) {
        require(uint8(x[i]) >= 0x20, "a control character");
        if (x[i] != "&") return i + 1;
        uint256 end = i;
        while (x[end] != ";") ++end;
        bytes memory entity = new bytes(end - i - 1);
        for (uint256 j = 0; j < entity.length; ++j) {
            entity[j] = x[i + 1 + j];
        }
        bytes32 hash = keccak256(entity);
        require(
            hash == keccak256("amp") || hash == keccak256("lt") || hash == keccak256("gt") || hash == keccak256("quot")
                || hash == keccak256("apos"),
            "an unknown entity"
        );
        return end + 1;
    }

    function face(address product, uint256 id) private view returns (string memory json, string memory svg) {
        json = content(renderer.tokenURI(product, id), JSON_HEAD);
        svg = content(vm.parseJsonString(json, ".image"), SVG_HEAD);
        checkXml(svg);
    }

    function faceOf(string memory name, uint256 principal) private returns (string memory json, string memory svg) {
        return face(address(new PlainProduct(name, address(asset), principal)), 7);
    }

    function checkWord(string memory svg, string memory word) private pure {
        assertTrue(has(svg, string.concat(">", word, "</text>")), word);
    }

    // ── A receipt ───────────────────────────────────────────────────────────────────────────────────────────────────

    function test_a_receipt_says_what_it_is() public {
        uint256 id = openFor(alice, YEAR, 12_345_678_900);
        skip(1);
        string memory json = content(term.tokenURI(id), JSON_HEAD);
        assertEq(vm.parseJsonString(json, ".name"), "Aqua Term #1", "name");
        assertEq(
            vm.parseJsonString(json, ".description"),
            "A time deposit of 12,345.6789 tUSD at 8% a year for 365 days, opened on 2027-01-15, due on 2028-01-15 (UTC). The interest is simple, ACT/365.",
            "description"
        );
        string[7] memory said = [
            "Principal: 12,345.6789 tUSD",
            "Rate: 8%",
            "Term: 365 days",
            "Opened: 2027-01-15",
            "Maturity: 2028-01-15",
            "State: Running",
            "Roll-over: None"
        ];
        for (uint256 i = 0; i < 7; ++i) {
            assertEq(attribute(json, i), said[i], said[i]);
        }
        assertTrue(!has(json, "Drawn"), "nothing was drawn");
        string memory svg = content(vm.parseJsonString(json, ".image"), SVG_HEAD);
        checkXml(svg);
        string[7] memory drawn =
            ["Aqua Term", "12,345.6789 tUSD", "8% a year", "365 days", "2027-01-15", "2028-01-15", "Running"];
        for (uint256 i = 0; i < 7; ++i) {
            checkWord(svg, drawn[i]);
        }
    }

    function test_its_state_is_that_of_the_block() public {
        uint256 id = openFor(alice, WEEK, 1_000 * DOLLAR);
        vm.warp(maturityOf(id) - 1);
        (string memory json, string memory svg) = face(address(term), id);
        assertEq(attribute(json, 5), "State: Running", "a second before");
        vm.warp(maturityOf(id));
        (json, svg) = face(address(term), id);
        assertEq(attribute(json, 5), "State: Matured", "at maturity");
        checkWord(svg, "Matured");
        assertTrue(has(svg, 'y="120" width="22" height="240"'), "the gauge is full");
        skip(1_000 days);
        (, svg) = face(address(term), id);
        assertTrue(has(svg, 'y="120" width="22" height="240"'), "and no fuller");
    }

    function test_the_gauge_is_at_the_elapsed_part_of_the_term() public {
        uint256 id = openFor(alice, QUARTER, 1_000 * DOLLAR);
        (, string memory svg) = face(address(term), id);
        assertTrue(has(svg, 'y="360" width="22" height="0"'), "at the opening");
        skip(45 days);
        (, svg) = face(address(term), id);
        assertTrue(has(svg, 'y="240" width="22" height="120"'), "half way");
    }

    function test_only_live_receipts_have_one() public {
        uint256 id = openFor(alice, WEEK, 1_000 * DOLLAR);
        vm.warp(maturityOf(id));
        closeFor(alice, id);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id));
        term.tokenURI(id);
        vm.expectRevert(abi.encodeWithSelector(ReceiptRenderer.UnknownReceipt.selector, 99));
        renderer.tokenURI(address(term), 99);
        // The renderer itself still draws what was.
        (string memory json,) = face(address(term), id);
        assertEq(attribute(json, 5), "State: Closed", "closed");
    }

    function test_every_state_and_instruction_has_its_word() public {
        PlainProduct product = new PlainProduct("Plain", address(asset), 5);
        string[5] memory states = ["Running", "Closed", "Exited early", "Rolled over", "Settled"];
        uint8[5] memory statuses =
            [Receipts.ACTIVE, Receipts.CLOSED, Receipts.EXITED_EARLY, Receipts.ROLLED_OVER, Receipts.SETTLED];
        string[3] memory rolls = ["None", "Principal", "Principal and interest"];
        for (uint256 i = 0; i < 5; ++i) {
            product.set(TermBooks.Deposit(5, START, START + 1 days, 0, statuses[i], i % 3, 0), 0, 0.01e18, 0);
            (string memory json, string memory svg) = face(address(product), 1);
            assertEq(attribute(json, 2), "Term: 1 day", "one day");
            assertEq(attribute(json, 5), string.concat("State: ", states[i]), states[i]);
            assertEq(attribute(json, 6), string.concat("Roll-over: ", rolls[i % 3]), rolls[i % 3]);
            checkWord(svg, states[i]);
            checkWord(svg, rolls[i % 3]);
        }
        product.set(TermBooks.Deposit(5e6, START, START + 1 days, 0, Receipts.MATURED, 0, 0), 2e6, 0.01e18, 9);
        (string memory down, string memory picture) = face(address(product), 1);
        assertEq(attribute(down, 5), "State: Winding down", "winding down");
        assertEq(attribute(down, 7), "Drawn: 2 tUSD", "drawn");
        checkWord(picture, "2 tUSD");
    }

    // ── Figures ─────────────────────────────────────────────────────────────────────────────────────────────────────

    function amountOf(uint256 principal, uint8 decimals) private returns (string memory) {
        asset.set(abi.encode("X"), abi.encode(decimals));
        (string memory json, string memory svg) = faceOf("Plain", principal);
        string memory said = vm.parseJsonString(json, ".attributes[0].value");
        checkWord(svg, said);
        return said;
    }

    function test_amounts_are_exact_for_dust_for_any_decimals_and_for_the_largest() public {
        assertEq(amountOf(1, 0), "1 X", "one unit without decimals");
        assertEq(amountOf(1, 6), "0.000001 X", "dust of 6");
        assertEq(amountOf(1, 8), "0.00000001 X", "dust of 8");
        assertEq(amountOf(1, 18), "0.000000000000000001 X", "dust of 18");
        assertEq(amountOf(1_000, 0), "1,000 X", "a group");
        assertEq(amountOf(999, 0), "999 X", "no group");
        assertEq(amountOf(100_000_000, 8), "1 X", "whole");
        assertEq(amountOf(123_456_789, 8), "1.23456789 X", "eight");
        assertEq(amountOf(1_050_000, 6), "1.05 X", "zeros at the end");
        assertEq(amountOf(type(uint96).max, 0), "79,228,162,514,264,337,593,543,950,335 X", "the largest");
        assertEq(amountOf(type(uint96).max, 18), "79,228,162,514.264337593543950335 X", "the largest of 18");
        string memory said = amountOf(type(uint96).max, 255);
        assertEq(bytes(said).length, 2 + 255 + 2, "as many decimals as there can be");
    }

    function test_the_smallest_part_drawn_is_shown_and_a_part_of_a_day_is_not() public {
        PlainProduct product = new PlainProduct("Plain", address(asset), 5);
        TermDeposit.Deposit memory deposit = TermBooks.Deposit(5, START, START + 1 days - 1, 0, Receipts.ACTIVE, 0, 0);
        product.set(deposit, 1, 0.01e18, 1);
        (string memory json,) = face(address(product), 1);
        assertEq(attribute(json, 2), "Term: 0 days", "less than a day");
        assertEq(attribute(json, 5), "State: Winding down", "the smallest claim");
        assertEq(attribute(json, 7), "Drawn: 0.000001 tUSD", "the smallest part");
    }

    /// @dev Counted one month at a time, by the lengths of months alone.
    function dateOf(uint256 day) private pure returns (string memory) {
        (uint256 year, uint256 month) = (1970, 1);
        uint256 length = 31;
        while (day >= length) {
            day -= length;
            (year, month) = month == 12 ? (year + 1, uint256(1)) : (year, month + 1);
            bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            length = month == 2 ? (leap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
        }
        string memory left = string.concat(vm.toString(year), month < 10 ? "-0" : "-", vm.toString(month));
        return string.concat(left, day < 9 ? "-0" : "-", vm.toString(day + 1));
    }

    function test_dates_are_those_of_the_calendar_to_the_year_2400() public {
        PlainProduct product = new PlainProduct("Plain", address(asset), 5);
        // All of 2027, then the ends of February of five centuries and the end of one, at both ends of the day.
        uint256[6] memory from = [uint256(20_819), 47_533, 83_999, 84_057, 120_581, 157_106];
        for (uint256 i = 0; i < from.length; ++i) {
            for (uint256 day = from[i]; day < from[i] + (i == 0 ? 365 : 15); day += i == 0 ? 11 : 1) {
                uint256 opened = day * 1 days + (day % 2) * (1 days - 1);
                vm.warp(opened);
                product.set(
                    TermBooks.Deposit(5, opened, opened + 1 days, 0, Receipts.ACTIVE, 0, 0), 0, 0.01e18, 0
                );
                string memory json = content(renderer.tokenURI(address(product), 1), JSON_HEAD);
                assertEq(attribute(json, 3), string.concat("Opened: ", dateOf(day)), "opened");
                assertEq(attribute(json, 4), string.concat("Maturity: ", dateOf(day + 1)), "maturity");
            }
        }
    }

    // ── The picture ─────────────────────────────────────────────────────────────────────────────────────────────────

    function test_the_lines_are_those_of_the_product_and_the_number() public {
        address product = address(new PlainProduct("Plain", address(asset), 5));
        for (uint256 id = 1; id < 4; ++id) {
            (, string memory svg) = face(product, id);
            bytes32 seed = keccak256(abi.encode(product, id));
            string memory lines;
            for (uint256 i = 0; i < 6; ++i) {
                uint256 y = 40 + 80 * i;
                string[4] memory heights = [
                    vm.toString(y + uint8(seed[i]) % 40),
                    vm.toString(y + uint8(seed[8 + i]) % 64),
                    vm.toString(y + uint8(seed[16 + i]) % 40),
                    vm.toString(y)
                ];
                lines = string.concat(lines, "M0 ", heights[0], "Q120 ", heights[1], " 240 ", heights[2], "T480 ", heights[3]);
            }
            assertTrue(
                has(svg, string.concat('<path d="', lines, '" fill="none" stroke="#006C7A" opacity="0.12"/>')), "lines"
            );
        }
    }

    /// @dev Text of a size that is the largest up to `most` at which it keeps within `width` tenths.
    function checkSize(string memory svg, string memory text, uint256 most, uint256 width) private pure {
        uint256 fitting = width / (6 * bytes(text).length + 1);
        string memory size = vm.toString(fitting < most ? fitting : most);
        string memory tag = string.concat('font-size="', size, '" font-family="Geist Mono,ui-monospace,monospace">');
        assertTrue(has(svg, string.concat(tag, text, "</text>")), text);
    }

    function test_a_text_is_as_large_as_fits() public {
        string memory name = "a";
        for (uint256 length = 1; length <= 64; ++length) {
            if (length == 1 || length > 28) {
                (, string memory svg) = faceOf(name, 1e6);
                checkSize(svg, name, 20, 3840);
            }
            name = string.concat(name, "a");
        }
        asset.set(abi.encode("X"), abi.encode(0));
        uint256 principal = 1;
        for (uint256 digits = 1; digits < 29; ++digits) {
            PlainProduct product = new PlainProduct("Plain", address(asset), principal);
            product.set(
                TermBooks.Deposit(principal, START, START + 1 days, 0, Receipts.ACTIVE, 0, 0), principal, 0.01e18, 9
            );
            (string memory json, string memory svg) = face(address(product), 1);
            string memory said = vm.parseJsonString(json, ".attributes[0].value");
            checkSize(svg, said, 36, 3840);
            checkSize(svg, said, 16, 2880);
            principal *= 10;
        }
    }

    function test_a_rate_is_written_in_full() public {
        PlainProduct product = new PlainProduct("Plain", address(asset), 5);
        product.set(TermBooks.Deposit(5, START, START + 1 days, 0, Receipts.ACTIVE, 0, 0), 0, 0.0475e18, 0);
        (string memory json,) = face(address(product), 1);
        assertEq(attribute(json, 1), "Rate: 4.75%", "rate");
        product.set(TermBooks.Deposit(5, START, START + 1 days, 0, Receipts.ACTIVE, 0, 0), 0, 1, 0);
        (json,) = face(address(product), 1);
        assertEq(attribute(json, 1), "Rate: 0.0000000000000001%", "the smallest rate");
    }

    // ── Foreign texts ───────────────────────────────────────────────────────────────────────────────────────────────

    function test_hostile_names_stay_text() public {
        string memory name = unicode'"},{"a":"<script>alert(1)</script>&amp;]]>\\\'水';
        asset.set(abi.encode('"</text><a>&\n'), abi.encode(6));
        (string memory json, string memory svg) = faceOf(name, 1e6);
        assertEq(vm.parseJsonString(json, ".name"), string.concat(name, " #7"), "the name as it is");
        assertEq(vm.parseJsonString(json, ".attributes[0].value"), unicode'1 "</text><a>&�', "the symbol cleaned");
        assertTrue(!has(svg, "<script"), "no element of theirs");
        checkWord(svg, unicode"&quot;},{&quot;a&quot;:&quot;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;]]&gt;\\&apos;水");
    }

    function test_long_texts_are_cut() public {
        bytes memory long = new bytes(5_000);
        for (uint256 i = 0; i < long.length; ++i) {
            long[i] = "a";
        }
        asset.set(abi.encode(string(long)), abi.encode(6));
        (string memory json,) = faceOf(string(long), 1e6);
        // The characters, an ellipsis of three bytes, and what stands around them.
        assertEq(bytes(vm.parseJsonString(json, ".name")).length, 64 + 3 + 3, "name");
        assertEq(bytes(vm.parseJsonString(json, ".attributes[0].value")).length, 2 + 16 + 3, "symbol");
    }

    function symbolOf(bytes memory answer) private returns (string memory) {
        asset.set(answer, abi.encode(0));
        (string memory json,) = faceOf("Plain", 3);
        return vm.parseJsonString(json, ".attributes[0].value");
    }

    function test_an_asset_may_answer_as_it_likes() public {
        assertEq(symbolOf(abi.encode(bytes32("MKR"))), "3 MKR", "32 bytes");
        assertEq(symbolOf(abi.encode("")), "3", "empty");
        assertEq(symbolOf(""), "3", "reverts");
        assertEq(symbolOf("short"), "3", "less than a word");
        assertEq(symbolOf(new bytes(40)), "3", "between one and two words");
        assertEq(symbolOf(abi.encode(64, 3, "abc")), "3", "another layout");
        assertEq(symbolOf(abi.encodePacked(uint256(32), type(uint256).max, "abc")), "3 abc", "longer than it is");
        asset.set(abi.encode("X"), "");
        (string memory json,) = faceOf("Plain", 3);
        assertEq(attribute(json, 0), "Principal: 3 X", "no decimals");
        asset.set(abi.encode("X"), abi.encode(256));
        (json,) = faceOf("Plain", 3);
        assertEq(attribute(json, 0), "Principal: 3 X", "decimals that are none");
        asset.set(abi.encode("X"), new bytes(31));
        (json,) = faceOf("Plain", 3);
        assertEq(attribute(json, 0), "Principal: 3 X", "decimals of less than a word");
        assertEq(symbolOf(new bytes(63)), "3", "a byte less than two words");
        assertEq(symbolOf("sixteen letters sixteen letters "), unicode"3 sixteen letters …", "32 bytes without an end");
        assertEq(symbolOf(unicode"éééééééééééééééé"), unicode"3 éééééééééééééééé", "32 bytes to the last");
        asset.fail();
        assertEq(symbolOf(abi.encode("LIE")), "3", "fails with a symbol");
        asset.set("", abi.encode(6));
        (json,) = faceOf("Plain", 3);
        assertEq(attribute(json, 0), "Principal: 3", "fails with decimals");
    }

    /// @dev What is cut anyway is not copied: an asset can grow its symbol after the product was made.
    function test_a_symbol_of_any_length_costs_little() public {
        asset.set(abi.encode(string(new bytes(100_000))), abi.encode(6));
        address product = address(new PlainProduct("Plain", address(asset), 3));
        uint256 before = gasleft();
        renderer.tokenURI(product, 1);
        assertAtMost(before - gasleft(), 1 << 24, "gas");
    }

    function test_only_what_has_receipts_is_a_time_deposit() public {
        string memory demand = "A demand deposit whose shares earn what its reports bring, in tUSD.";
        string memory time = "Time deposits with interest fixed at opening, each an ERC-721 receipt, in tUSD.";
        assertEq(kindOf("", false), demand, "answers nothing");
        assertEq(kindOf("", true), demand, "fails");
        assertEq(kindOf("why", true), demand, "fails with a reason");
        assertEq(kindOf(hex"01", false), time, "answers");
    }

    function kindOf(bytes memory answer, bool fails) private returns (string memory) {
        address product = address(new OtherProduct(address(asset), answer, fails));
        return vm.parseJsonString(content(renderer.contractURI(product), JSON_HEAD), ".description");
    }

    function testFuzz_whatever_the_texts_the_answer_parses(bytes memory name, bytes memory symbol) public {
        asset.set(abi.encode(symbol), abi.encode(6));
        (string memory json, string memory svg) = faceOf(string(name), 1e6);
        assertTrue(bytes(json).length > 0 && bytes(svg).length > 0, "both are there");
    }

    /// @dev A point in `length` bytes of UTF-8, also where fewer would do or it is above what Unicode has.
    function encoded(uint256 point, uint256 length) private pure returns (bytes memory raw) {
        if (length == 1) return bytes.concat(bytes1(uint8(point)));
        raw = bytes.concat(bytes1(uint8(0xff << 8 - length | point >> 6 * (length - 1))));
        for (uint256 left = length - 1; left > 0; --left) {
            raw = bytes.concat(raw, bytes1(uint8(0x80 | point >> 6 * (left - 1) & 0x3f)));
        }
    }

    function encoded(uint256 point) private pure returns (bytes memory) {
        return encoded(point, point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4);
    }

    function repeated(string memory part, uint256 count) private pure returns (string memory all) {
        for (uint256 i = 0; i < count; ++i) {
            all = string.concat(all, part);
        }
    }

    /// @dev What the renderer says of a product with the name `raw`: `shown`, as it stands in JSON.
    function checkName(bytes memory raw, string memory shown, string memory what) private {
        address product = address(new PlainProduct(string(raw), address(asset), 1));
        string memory rest =
            '","symbol":"aqX","description":"Time deposits with interest fixed at opening, each an ERC-721 receipt, in tUSD."}';
        assertEq(content(renderer.contractURI(product), JSON_HEAD), string.concat('{"name":"', shown, rest), what);
    }

    /// @dev U+FFFD stands for each of its bytes; the letters around it stay.
    function checkHidden(bytes memory raw, string memory what) private {
        string memory shown = string.concat("a", repeated(unicode"�", raw.length), "b");
        checkName(bytes.concat("a", raw, "b"), shown, what);
    }

    function test_characters_are_shown_on_the_right_side_of_each_bound() public {
        // Beside the controls, those that turn the direction of writing, the surrogates and what XML forbids, and the
        // first and last of each length and of some lead bytes.
        uint24[25] memory shown = [
            0x20,
            0x7e,
            0xa0,
            0xbf,
            0xc0,
            0x061b,
            0x061d,
            0x07ff,
            0x0800,
            0x0fff,
            0x1000,
            0x200d,
            0x2010,
            0x2029,
            0x202f,
            0x2065,
            0x206a,
            0xd7ff,
            0xe000,
            0xfffd,
            0x10000,
            0x3ffff,
            0x40000,
            0x100000,
            0x10ffff
        ];
        for (uint256 i = 0; i < shown.length; ++i) {
            bytes memory raw = encoded(shown[i]);
            checkName(raw, string(raw), vm.toString(shown[i]));
            raw = bytes.concat("a", raw, raw, "b");
            checkName(raw, string(raw), vm.toString(shown[i]));
        }
    }

    function test_characters_are_hidden_on_the_wrong_side_of_each_bound() public {
        uint24[24] memory hidden = [
            0x00,
            0x1f,
            0x7f,
            0x80,
            0x85,
            0x9f,
            0x061c,
            0x200e,
            0x200f,
            0x202a,
            0x202b,
            0x202c,
            0x202d,
            0x202e,
            0x2066,
            0x2067,
            0x2068,
            0x2069,
            0xd800,
            0xdfff,
            0xfffe,
            0xffff,
            0x110000,
            0x13ffff
        ];
        for (uint256 i = 0; i < hidden.length; ++i) {
            checkHidden(encoded(hidden[i]), vm.toString(hidden[i]));
        }
    }

    function test_a_character_in_more_bytes_than_it_needs_is_hidden() public {
        uint16[11] memory points = [0x00, 0x41, 0x7f, 0x41, 0xa0, 0x0416, 0x07ff, 0x41, 0x0416, 0x20ac, 0xfffd];
        uint8[11] memory lengths = [2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4];
        for (uint256 i = 0; i < points.length; ++i) {
            checkHidden(encoded(points[i], lengths[i]), vm.toString(points[i]));
        }
    }

    function test_bytes_that_make_no_character_are_hidden() public {
        bytes[15] memory none = [
            bytes(hex"80"), // goes on, but nothing began
            hex"bf",
            hex"a2a0",
            hex"c1bf", // lead nothing
            hex"f5808080",
            hex"f8888080",
            hex"f9808080",
            hex"fe",
            hex"ff",
            hex"c2", // end too early
            hex"e0",
            hex"e282",
            hex"f0",
            hex"f09f",
            hex"f09f92"
        ];
        for (uint256 i = 0; i < none.length; ++i) {
            checkHidden(none[i], vm.toString(i));
            checkName(none[i], repeated(unicode"�", none[i].length), "at the end");
        }
    }

    function test_a_character_that_breaks_off_does_not_take_the_next_along() public {
        checkName(hex"c241", unicode"�A", "a letter for the second of two");
        checkName(hex"e24182", unicode"�A�", "for the second of three");
        checkName(hex"e28241", unicode"��A", "for the third of three");
        checkName(hex"f09f9241", unicode"���A", "for the fourth of four");
        checkName(hex"c2c3a9", unicode"�é", "another character of two");
        checkName(hex"e282e282ac", unicode"��€", "another of three");
        checkName(hex"f09f92f09f92a7", unicode"���💧", "another of four");
        checkName(hex"c280c3a9", unicode"��é", "after one that is not shown");
    }

    function test_characters_are_counted_and_not_bytes() public {
        string[4] memory characters = ["a", unicode"é", unicode"€", unicode"💧"];
        for (uint256 i = 0; i < 4; ++i) {
            string memory most = repeated(characters[i], 64);
            checkName(bytes(most), most, "as long as may be");
            checkName(bytes(string.concat(most, "b")), string.concat(most, unicode"…"), "one more");
        }
        bytes memory none = new bytes(64);
        checkName(none, repeated(unicode"�", 64), "as many as may be hidden");
        checkName(bytes.concat(none, "b"), string.concat(repeated(unicode"�", 64), unicode"…"), "one more");
    }

    function test_the_longest_entities_have_room() public {
        string[2] memory marks = ['"', "'"];
        string[2] memory entities = ["&quot;", "&apos;"];
        for (uint256 i = 0; i < 2; ++i) {
            (, string memory svg) = faceOf(repeated(marks[i], 64), 1e6);
            checkWord(svg, repeated(entities[i], 64));
        }
    }

    function testFuzz_a_name_is_cleaned_before_it_is_escaped(bytes memory name) public {
        checkName(name, Strings.escapeJSON(Text.clean(name, 64)), "a name");
    }

    // ── Events and the product ──────────────────────────────────────────────────────────────────────────────────────

    function updates() private returns (uint256 one, uint256 all) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            // What a test expects is recorded as its own.
            if (logs[i].emitter != address(term)) continue;
            if (logs[i].topics[0] == TermEvents.MetadataUpdate.selector) ++one;
            if (logs[i].topics[0] == TermEvents.BatchMetadataUpdate.selector) ++all;
        }
    }

    function expectUpdates(uint256 one, uint256 all, string memory what) private {
        (uint256 seenOne, uint256 seenAll) = updates();
        assertEq(seenOne, one, what);
        assertEq(seenAll, all, what);
    }

    function test_events_say_when_a_live_receipt_changes_other_than_by_time() public {
        assertTrue(term.supportsInterface(0x49064906), "ERC-4906");
        assertTrue(term.supportsInterface(type(IERC165).interfaceId), "ERC-165");
        assertTrue(!term.supportsInterface(0xffffffff), "nothing");
        vm.recordLogs();
        uint256 id = openFor(alice, WEEK, 1_000 * DOLLAR);
        uint256 other = openFor(bob, WEEK, 1_000 * DOLLAR);
        expectUpdates(0, 0, "opening");
        vm.prank(alice);
        term.setAutoRoll(id, MONTH, 0, 1);
        expectUpdates(1, 0, "instruction");
        vm.prank(alice);
        term.transferFrom(alice, bob, id);
        expectUpdates(1, 0, "a transfer ends the instruction");
        vm.prank(bob);
        term.transferFrom(bob, alice, id);
        expectUpdates(0, 0, "a plain transfer");
        deployFunds(1_600 * DOLLAR);
        uint256 free = freeInterest();
        vm.prank(treasurer);
        term.withdrawInterest(free);
        reportLossOfTerm(500 * DOLLAR);
        updates();
        vm.expectEmit(address(term));
        emit TermEvents.BatchMetadataUpdate(id, other);
        confirmLossOfTerm();
        expectUpdates(0, 1, "winding down");
        skip(7 days);
        vm.expectEmit(address(term));
        emit TermEvents.MetadataUpdate(id);
        vm.prank(alice);
        term.claim(id);
        expectUpdates(1, 0, "a part drawn");
        repayFunds(1_100 * DOLLAR);
        fundReserve(1_000 * DOLLAR);
        vm.prank(alice);
        term.claim(id);
        expectUpdates(0, 0, "a receipt that is gone changes no more");
    }

    function test_the_product_says_what_it_is() public {
        string memory json = content(term.contractURI(), JSON_HEAD);
        assertEq(vm.parseJsonString(json, ".name"), "Aqua Term", "name");
        assertEq(vm.parseJsonString(json, ".symbol"), "aqTERM", "symbol");
        assertEq(
            vm.parseJsonString(json, ".description"),
            "Time deposits with interest fixed at opening, each an ERC-721 receipt, in tUSD.",
            "description"
        );
        vault = deployVault("solar", IERC20(address(dollar)), MIN_DEPOSIT);
        json = content(vault.contractURI(), JSON_HEAD);
        assertEq(vault.contractURI(), renderer.contractURI(address(vault)), "made by the renderer");
        assertEq(vm.parseJsonString(json, ".name"), vault.name(), "a vault's name");
        assertEq(vm.parseJsonString(json, ".symbol"), vault.symbol(), "a vault's symbol");
        assertEq(
            vm.parseJsonString(json, ".description"),
            "A demand deposit whose shares earn what its reports bring, in tUSD.",
            "a vault's description"
        );
        PlainProduct product = new PlainProduct('"\n<', address(asset), 1);
        asset.set("", "");
        json = content(renderer.contractURI(address(product)), JSON_HEAD);
        assertEq(vm.parseJsonString(json, ".name"), unicode'"�<', "a hostile name");
        assertEq(
            vm.parseJsonString(json, ".description"),
            "Time deposits with interest fixed at opening, each an ERC-721 receipt.",
            "an asset without a symbol"
        );
        assertEq(address(term.renderer()), address(renderer), "renderer");
        assertTrue(term.supportsInterface(type(IERC721).interfaceId), "ERC-721");
    }
}
