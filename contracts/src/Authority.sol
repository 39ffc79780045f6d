// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Roles are OpenZeppelin's AccessManager, deployed unchanged. Nothing in src/ inherits it, so it is named here for the
// build to compile it with the same settings as everything else that ships.
import {AccessManager} from "@openzeppelin/contracts/access/manager/AccessManager.sol";
