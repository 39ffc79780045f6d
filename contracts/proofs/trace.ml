(* Runs random calls through the extracted model and prints each with the model's answer, for the contracts to repeat.

     trace vault <calls> <seed>

   A row is: call, wallet, amount and, unless the call is refused: assets moved, shares moved, totalAssets, held, money
   set aside. *)
module M = Model

let seed = ref 0L

(* splitmix64, the same on every version of OCaml. *)
let next () =
  seed := Int64.add !seed 0x9E3779B97F4A7C15L;
  let mix z shift factor = Int64.mul (Int64.logxor z (Int64.shift_right_logical z shift)) factor in
  let z = mix (mix !seed 30 0xBF58476D1CE4E5B9L) 27 0x94D049BB133111EBL in
  Int64.to_int (Int64.shift_right_logical (Int64.logxor z (Int64.shift_right_logical z 31)) 2)

let below n = next () mod n

(* From 0 up to `most`; `most` itself and its neighbours now and then. *)
let upTo most =
  if Z.sign most <= 0 then Z.of_int (below 2)
  else
    match below 8 with
    | 0 -> most
    | 1 -> Z.succ most
    | 2 -> Z.min most (Z.of_int (1 + below 9))
    | _ -> Z.div (Z.mul most (Z.of_int (1 + below 1_000_000))) (Z.of_int 1_000_000)

(* From 1 up to 2^60, small ones as likely as large ones. *)
let anyAmount () = Z.succ (Z.shift_right (Z.of_int (next ())) (2 + below 60))

let day = 86400
let maxAge = 3 * day
let vesting = day
let feeRate = Z.of_string "100000000000000000"
let buffer = Z.of_string "100000000000000000"
let maxRate = Z.of_string "200000000000000000"
let year = Z.mul (Z.of_int (365 * day)) (Z.of_string "1000000000000000000")
let start = 1_800_000_000

(* A row with what the model answers, or a short one where it refuses. *)
let row kind who amount answer =
  Printf.printf "%d,%d,%s" kind who (Z.to_string amount);
  List.iter (fun n -> print_string ("," ^ Z.to_string n)) answer;
  print_newline ()

let wallets = 4
let mostPlaces = 14

let vaultTrace calls =
  let v = ref (M.newVault (Z.of_int start) (Z.of_int vesting)) and q = ref M.newQueue in
  let balances = Array.make wallets Z.zero in
  (* The requests of each wallet, as numbers from the first one on, the newest first. *)
  let requests = Array.make wallets [] and made = ref 0 in
  (* The line is payable up to so many shares from so long on, the newest first. *)
  let moments = ref [ (Z.zero, 0) ] in
  let lastReport = ref start and closedUntil = ref 0 in
  let time () = Z.to_int !v.M.now in
  let print kind who amount assets shares =
    row kind who amount [ assets; shares; M.totalAssets !v; !v.M.held; !q.M.aside ]
  in
  let refuse kind who amount = row kind who amount [] in
  (* Runs a call that only the model decides about, and prints it. *)
  let run kind who amount call settle =
    match M.run !v call with
    | Some a ->
        v := a.M.after;
        settle a.M.sharesMoved;
        print kind who amount a.M.assetsMoved a.M.sharesMoved
    | None -> refuse kind who amount
  in
  (* The contracts refuse what does not fit their storage, which the model does not know. *)
  let buy kind who amount call =
    match M.run !v call with
    | Some { M.after; _ } when Z.numbits after.M.supply > 104 || Z.numbits after.M.held > 84 -> ()
    | _ -> run kind who amount call (fun shares -> balances.(who) <- Z.add balances.(who) shares)
  in
  (* A wallet has no more shares than its own, which the model does not count. *)
  let leave kind who amount call settle =
    match M.run !v call with
    | Some a when Z.leq a.M.sharesMoved balances.(who) ->
        run kind who amount call (fun shares ->
            balances.(who) <- Z.sub balances.(who) shares;
            settle shares)
    | _ -> refuse kind who amount
  in
  let must call =
    match M.run !v call with Some a -> v := a.M.after; a | None -> failwith "the vault's model refused a call"
  in
  let step s = match M.go !q s with Some after -> q := after | None -> failwith "the queue's model refused a step" in
  let payable () =
    let reached, _ = List.find (fun (_, from) -> from <= time ()) !moments in
    Z.max Z.zero (Z.sub reached (M.processed !q.M.batches))
  in
  let serve () =
    let a = must (M.Process (payable ())) in
    if Z.sign a.M.sharesMoved > 0 then step (M.Serve (a.M.sharesMoved, a.M.assetsMoved));
    a
  in
  (* A report serves the queue, then takes the result, then makes all requests payable; `later` follows in the same second. *)
  let report ?(later = []) kind amount call =
    let before = !v in
    ignore (serve ());
    ignore (must call);
    lastReport := time ();
    let covered = M.lineEnd !q.M.places and reached, last = List.hd !moments in
    let from = if Z.sign !v.M.streaming = 0 then time () else max (time ()) (Z.to_int !v.M.streamEnd) in
    if Z.gt covered reached then moments := (covered, max last from) :: !moments;
    List.iter (fun call -> ignore (must call)) later;
    print kind 0 amount (Z.abs (Z.sub !v.M.held before.M.held)) (Z.sub before.M.supply !v.M.supply)
  in
  let gain amount =
    let covered = min (time () - !lastReport) (7 * day) in
    report 5 amount (M.Gain (amount, feeRate, Z.of_int (max vesting covered)))
  in
  let wait seconds =
    if time () + seconds - !lastReport > maxAge then (if time () > !lastReport then gain Z.zero else ())
    else run 8 0 (Z.of_int seconds) (M.Wait (Z.of_int seconds)) ignore
  in
  let numberOf request = Z.of_int (!made - 1 - request) in
  let placeOf request = List.nth !q.M.places (!made - 1 - request) in
  let claimableOf request = M.claimable !q.M.batches (placeOf request) in
  let claim kind who amount =
    let whole = List.fold_left (fun sum r -> Z.add sum (claimableOf r)) Z.zero requests.(who) in
    let wanted = amount whole in
    if Z.gt wanted whole || Z.sign whole = 0 then (if Z.gt wanted whole then refuse kind who wanted)
    else (
      let left = ref wanted in
      List.iter
        (fun r ->
          let part = Z.min !left (claimableOf r) in
          left := Z.sub !left part;
          if Z.sign part > 0 then step (M.Claim (numberOf r, part)))
        (List.rev requests.(who));
      let open_ r =
        let p = placeOf r in
        Z.sign (claimableOf r) > 0 || Z.gt (Z.add p.M.first p.M.size) (M.processed !q.M.batches)
      in
      requests.(who) <- List.filter open_ requests.(who);
      print kind who wanted wanted Z.zero)
  in
  for _ = 1 to calls do
    let who = below wallets in
    match below 24 with
    | 0 | 1 | 2 when time () >= !closedUntil ->
        let assets = anyAmount () in
        buy 1 who assets (M.Deposit assets)
    | 3 | 4 when time () >= !closedUntil ->
        let shares = Z.mul (anyAmount ()) (Z.of_int (1 + below 1_000_000)) in
        buy 2 who shares (M.Mint shares)
    | 5 | 6 ->
        let most = Z.min (M.assetsDown !v balances.(who)) (M.instant !v) in
        let assets = upTo most in
        leave 3 who assets (M.Withdraw assets) ignore
    | 7 | 8 ->
        let shares = upTo balances.(who) in
        leave 4 who shares (M.Redeem shares) ignore
    | 9 | 10 when time () > !lastReport ->
        let passed = Z.of_int (time () - !lastReport) in
        let bound = Z.div (Z.mul (M.totalAssets !v) (Z.mul maxRate passed)) year in
        gain (Z.min bound (upTo bound))
    | 11 when time () > !lastReport && Z.sign !v.M.deployed > 0 ->
        let part = Z.div !v.M.deployed (Z.of_int (match below 40 with 0 -> 1 | 1 | 2 | 3 -> 20 | _ -> 300)) in
        let loss = Z.max Z.one (upTo part) in
        let lost = Z.min loss !v.M.deployed in
        (* Whether the loss is reviewed follows from what is held once the queue is served. *)
        let saved = (!v, !q) in
        ignore (serve ());
        let served = !v in
        v := fst saved;
        q := snd saved;
        if Z.gt (Z.mul lost (Z.of_int 100)) served.M.held && below 2 = 0 then
          let borne = Z.min lost (Z.sub served.M.held (M.totalAssets served)) in
          report 7 loss (M.Loss loss) ~later:[ M.GiveBack (lost, borne, Z.of_int vesting) ]
        else (
          report 6 loss (M.Loss loss);
          closedUntil := time () + day)
    | 12 | 13 ->
        let assets = upTo (M.deployable !v buffer) in
        run 9 0 assets (M.Deploy (assets, buffer)) ignore
    | 14 ->
        let assets = upTo !v.M.deployed in
        run 10 0 assets (M.Repay assets) ignore
    | 15 | 16 when List.length requests.(who) < mostPlaces ->
        let shares = upTo (Z.div balances.(who) (Z.of_int (1 + below 3))) in
        leave 11 who shares (M.Request shares) (fun shares ->
            step (M.Join shares);
            requests.(who) <- !made :: requests.(who);
            incr made)
    | 17 ->
        let a = serve () in
        if Z.sign a.M.sharesMoved = 0 then refuse 12 0 Z.zero else print 12 0 Z.zero a.M.assetsMoved a.M.sharesMoved
    | 18 -> claim 13 who (fun whole -> whole)
    | 19 -> claim 14 who (fun whole -> Z.max Z.one (upTo whole))
    | _ -> wait (1 + below (if below 4 = 0 then day else 4000))
  done

let () =
  match Sys.argv with
  | [| _; "vault"; calls; s |] ->
      seed := Int64.of_string s;
      vaultTrace (int_of_string calls)
  | _ -> prerr_endline "usage: trace vault <calls> <seed>"; exit 2
