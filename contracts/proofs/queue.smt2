; The arithmetic that RedemptionQueue.v rests on: a batch of `shares`, above 0, is paid `assets`. Of it the stretch from
; `from` up to `from + size` is paid the difference `got` of two rounded quotients.
(set-logic QF_NIA)
(declare-const shares Int)
(declare-const assets Int)
(declare-const from Int)
(declare-const size Int)
(declare-const low Int)
(declare-const high Int)
(assert (and (> shares 0) (>= assets 0) (>= from 0) (>= size 0) (<= (+ from size) shares)))
(assert (= low (div (* from assets) shares)))
(assert (= high (div (* (+ from size) assets) shares)))

; It is not less than nothing. Both quotients have one divisor, so the solver is given their dividends.
(push)
(assert (> low high))
(assert (< (* (+ from size) assets) (* from assets)))
(check-sat)
(pop)
(push)
(declare-const x Int)
(declare-const y Int)
(assert (and (<= x y) (= low (div x shares)) (= high (div y shares)) (> low high)))
(check-sat)
(pop)

; Nor more than all.
(push)
(assert (or (< low 0) (> high assets)))
(check-sat)
(pop)

; It is within a unit of its exact part.
(push)
(assert (not (and (< (* (- (- high low) 1) shares) (* size assets)) (< (* size assets) (* (+ (- high low) 1) shares)))))
(check-sat)
(pop)

; All of it is paid all.
(push)
(assert (and (= from 0) (= size shares) (not (= (- high low) assets))))
(check-sat)
(pop)
