import type { Interpretation, ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'

/**
 * What a physician checks in a report, written down without a look at how reports are made:
 * formulas and limits of textbooks (Tietz, Fundamentals of Clinical Chemistry; Nelson, Textbook of
 * Pediatrics; KDIGO 2024; Endocrine Society). Limits are wide: beyond them a value is not believed,
 * or not believed to be called normal.
 */

export interface ReadReport {
  report: ResultMessage
  sex: 'female' | 'male' | null
  ageYears: number
  interpretation: Interpretation
  /** Only numbers were wished for. */
  isNumericOnly: boolean
  /** mL of urine of 24 hours, as answered with the order. */
  urineVolume: number | null
  /** Codes of the requested results. */
  askedLoincs: ReadonlySet<string>
}

type Rule = (read: ReadReport) => string[]

const numberOf = ({ type, result }: ReportedResult): number | undefined =>
  type === 'numeric' ? Number(result) : undefined

const byLoinc = ({ report }: ReadReport, loinc: string): ReportedResult | undefined =>
  report.results.find((result) => result.loinc === loinc)

const amountOf = (read: ReadReport, loinc: string): number | undefined => {
  const found = byLoinc(read, loinc)
  return found === undefined ? undefined : numberOf(found)
}

/** Half of the last printed digit. */
const half = ({ result }: ReportedResult): number =>
  0.5 * 10 ** -(result.split('.')[1]?.length ?? 0)

interface Formula {
  of: string
  from: readonly string[]
  compute: (...parts: number[]) => number
}

const formula = (
  of: string,
  from: readonly string[],
  compute: (...parts: number[]) => number,
): Formula => ({ of, from, compute })

const quotient = (a = 0, b = 0): number => a / b
const CELLS = [
  ['751-8', '770-8'],
  ['731-0', '736-9'],
  ['742-7', '5905-5'],
  ['711-2', '713-8'],
  ['704-7', '706-2'],
  ['53115-2', '71695-1'],
] as const
const MORE_SHARES = ['764-1', '740-1', '749-2', '709-6']

const FORMULAS: readonly Formula[] = [
  // Friedewald
  formula(
    '13457-7',
    ['2093-3', '2085-9', '2571-8'],
    (all = 0, hdl = 0, tg = 0) => all - hdl - tg / 5,
  ),
  formula('13458-5', ['2571-8'], (tg = 0) => tg / 5),
  formula('43396-1', ['2093-3', '2085-9'], (all = 0, hdl = 0) => all - hdl),
  formula('9830-1', ['2093-3', '2085-9'], quotient),
  formula('11054-4', ['13457-7', '2085-9'], quotient),
  formula('13462-7', ['1869-7', '1884-6'], quotient),
  formula('3097-3', ['3094-0', '2160-0'], quotient),
  formula('10834-0', ['2885-2', '1751-7'], (protein = 0, albumin = 0) => protein - albumin),
  formula('1759-0', ['1751-7', '10834-0'], quotient),
  formula('1971-1', ['1975-2', '1968-7'], (total = 0, direct = 0) => total - direct),
  formula('33037-3', ['2951-2', '2075-0', '2028-9'], (na = 0, cl = 0, co2 = 0) => na - cl - co2),
  formula('787-2', ['4544-3', '789-8'], (hct = 0, rbc = 0) => (10 * hct) / rbc),
  formula('785-6', ['718-7', '789-8'], (hgb = 0, rbc = 0) => (10 * hgb) / rbc),
  formula('786-4', ['718-7', '4544-3'], (hgb = 0, hct = 0) => (100 * hgb) / hct),
  ...CELLS.map(([count, share]) =>
    formula(count, ['6690-2', share], (wbc = 0, percent = 0) => (wbc * percent) / 100),
  ),
  formula('60474-4', ['17849-1', '789-8'], (percent = 0, rbc = 0) => 10 * percent * rbc),
  formula('2502-3', ['2498-4', '2500-7'], (iron = 0, tibc = 0) => (100 * iron) / tibc),
  formula('2501-5', ['2500-7', '2498-4'], (tibc = 0, iron = 0) => tibc - iron),
  formula('27353-2', ['4548-4'], (a1c = 0) => 28.7 * a1c - 46.7),
  formula('32215-6', ['3026-2', '3050-2'], (t4 = 0, uptake = 0) => (t4 * uptake) / 100),
  formula('2991-8', ['2986-8', '15432-8'], (total = 0, percent = 0) => (total * percent) / 10),
  formula('10886-0', ['2857-1', '12841-3'], (total = 0, percent = 0) => (total * percent) / 100),
  formula(
    '2164-2',
    ['2162-6', '2160-0'],
    (perDay = 0, serum = 0) => (perDay * 1e5) / (serum * 1440),
  ),
  // Catalogs give albumin of urine in mg/dL.
  formula('14959-1', ['14957-5', '2161-8'], (albumin = 0, creat = 0) => (1000 * albumin) / creat),
  formula('2890-2', ['2888-6', '2161-8'], (protein = 0, creat = 0) => (1000 * protein) / creat),
  formula('62292-8', ['49054-0', '1989-3'], (two = 0, three = 0) => two + three),
  formula('2254-1', ['2258-2', '2243-4'], (estrone = 0, estradiol = 0) => estrone + estradiol),
  formula('1988-5', ['30522-7'], (crp = 0) => crp),
]

/** The printed value lies among those that the printed parts, rounded as they are, can give. */
const formulasHold: Rule = (read) =>
  FORMULAS.flatMap(({ of, from, compute }) => {
    const whole = byLoinc(read, of)
    const parts = from.map((loinc) => byLoinc(read, loinc))
    const printed = whole && numberOf(whole)
    if (whole === undefined || printed === undefined) return []
    if (!parts.every((part) => part !== undefined && part.type === 'numeric')) return []
    const known = parts as ReportedResult[]
    const corners = known.reduce<number[][]>(
      (lists, part) =>
        lists.flatMap((list) =>
          [-1, 1].map((sign) => [...list, Math.max(0, Number(part.result) + sign * half(part))]),
        ),
      [[]],
    )
    const values = corners.map((corner) => compute(...corner))
    // Friedewald's fifth is printed, and taken off, in whole numbers.
    const slack = half(whole) * 1.02 + (of === '13457-7' ? 0.5 : 0)
    const isRight = printed >= Math.min(...values) - slack && printed <= Math.max(...values) + slack
    const inputs = known.map(({ result }) => result).join(' ')
    return isRight ? [] : [`${of} ${printed} does not follow from ${from.join(' ')}: ${inputs}`]
  })

const sharesAreAll: Rule = (read) => {
  const shares = [...CELLS.map(([, share]) => share), ...MORE_SHARES]
  const five = shares.slice(0, 5).map((share) => amountOf(read, share))
  if (five.some((share) => share === undefined)) return []
  const sum = shares.reduce((all, share) => all + (amountOf(read, share) ?? 0), 0)
  const isWhole = shares
    .filter((share) => read.askedLoincs.has(share))
    .every((share) => ['numeric', 'comment'].includes(byLoinc(read, share)?.type ?? ''))
  return !isWhole || Math.abs(sum - 100) < 0.11 ? [] : [`shares of white cells sum to ${sum}`]
}

const SPECIMENS = /waking|morning|noon|evening|bedtime/i

const oneTruth: Rule = ({ report }) => {
  const keys = report.results.flatMap(({ name, loinc }) =>
    loinc === null ? [] : [`${loinc} ${SPECIMENS.exec(name)?.[0] ?? ''}`],
  )
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index)
  return twice.map((key) => `${key} twice`)
}

/** What may be nothing at all; everything else that is measured is there in some amount. */
const MAY_BE_NOTHING = new Set([
  ...['711-2', '704-7', '713-8', '706-2', '53115-2', '71695-1', '764-1', '740-1', '749-2', '709-6'],
  ...['58413-6', '771-6', '1968-7', '10886-0', '20447-9', '29541-0', '11011-4'],
])

const nothingIsNothing: Rule = ({ report, isNumericOnly }) =>
  report.results.flatMap(({ name, loinc, type, result, unit }) => {
    const isNothing = type === 'numeric' && Number(result) === 0
    const isMeasured = unit !== null && !MAY_BE_NOTHING.has(loinc ?? '') && !isNumericOnly
    return isNothing && isMeasured ? [`${name} is 0 ${unit}`] : []
  })

const ADULT_RATES = new Set(['98979-8', '62238-1', '33914-3', '48642-3', '48643-1', '77147-7'])

function ckdEpi(creatinine: number, sex: 'female' | 'male', age: number): number {
  const [kappa, alpha, factor] = sex === 'female' ? [0.7, -0.241, 1.012] : [0.9, -0.302, 1]
  const [least, most] = [Math.min(creatinine / kappa, 1), Math.max(creatinine / kappa, 1)]
  return 142 * least ** alpha * most ** -1.2 * 0.9938 ** age * factor
}

const filtration: Rule = (read) => {
  const { report, ageYears, sex } = read
  const adult = report.results.find(({ loinc }) => ADULT_RATES.has(loinc ?? ''))
  const child = byLoinc(read, '50384-7')
  const creatinine = amountOf(read, '2160-0')
  if (ageYears < 18 && adult !== undefined && adult.result !== 'Not calculated') {
    return [`a minor's ${adult.loinc} is ${adult.result}`]
  }
  if (ageYears >= 18 && child !== undefined) return ['an adult has a rate by Schwartz']
  if (creatinine === undefined) return []
  const error = half(byLoinc(read, '2160-0') as ReportedResult) / creatinine
  const isNear = (rate: number, right: number): boolean =>
    Math.abs(rate - right) <= 0.51 + right * error * 1.3
  const adultRate = adult && numberOf(adult)
  if (adultRate !== undefined && sex !== null) {
    const right = ckdEpi(creatinine, sex, ageYears)
    if (!isNear(adultRate, right)) return [`eGFR ${adultRate} is not ${right}`]
  }
  const childRate = child && numberOf(child)
  if (childRate === undefined || child === undefined) return []
  const height = Number(/height of (\d+) cm/.exec(child.notes ?? '')?.[1])
  const usual = 50 + 8 * Math.min(ageYears, 16)
  const isUsual = /average/.test(child.notes ?? '') ? Math.abs(height - usual) < 25 : height > 20
  const right = (0.413 * height) / creatinine
  return isUsual && isNear(childRate, right) ? [] : [`eGFR ${childRate}, ${height} cm: ${right}`]
}

const syphilis: Rule = (read) => {
  const rpr = byLoinc(read, '20507-0')
  const titer = byLoinc(read, '31147-2')
  if (titer === undefined) return []
  const isDilution = /^1:(?:1|2|4|8|16|32|64|128|256)$/.test(titer.result)
  if (rpr?.result === 'Non-Reactive' && titer.result !== 'Not indicated') {
    return [`RPR is non-reactive, its titer ${titer.result}`]
  }
  if (rpr?.result === 'Reactive' && titer.type === 'comment' && !isDilution) {
    return [`RPR is reactive, its titer ${titer.result}`]
  }
  return []
}

const cortisolFalls: Rule = (read) => {
  if (read.interpretation !== 'normal') return []
  const saliva = ['waking', 'noon', 'evening', 'bedtime'].flatMap((time) => {
    const found = read.report.results.find(
      ({ loinc, name }) => loinc === '2142-8' && name.includes(time),
    )
    const value = found && numberOf(found)
    return value === undefined ? [] : [value]
  })
  const problems = saliva.flatMap((value, index) =>
    index > 0 && value >= (saliva[index - 1] ?? 0) ? [`saliva ${saliva.join(' ')}`] : [],
  )
  const [morning, evening] = [amountOf(read, '9813-7'), amountOf(read, '9812-9')]
  const isFlat = morning !== undefined && evening !== undefined && evening >= morning
  return isFlat ? [...problems, `cortisol ${morning} in the morning, ${evening} later`] : problems
}

const urineVolume: Rule = (read) => {
  const volume = amountOf(read, '3167-4')
  if (volume === undefined || read.urineVolume === null) return []
  return volume === read.urineVolume ? [] : [`volume ${volume}, answered ${read.urineVolume}`]
}

const INPUTS: readonly (readonly [string, readonly string[]])[] = [
  ...FORMULAS.filter(
    ({ of }) => !['62292-8', '2254-1', '1988-5', '10886-0', '2991-8'].includes(of),
  ).map(({ of, from }) => [of, from] as const),
  ...CELLS.map(([count, share]) => [share, [count]] as const),
  ['98979-8', ['2160-0']],
  ['50384-7', ['2160-0']],
]

/**
 * A calculated result needs its inputs, where these were requested.
 */
const inputsAreThere: Rule = (read) => {
  if (read.report.results.length < 2) return []
  return INPUTS.flatMap(([of, from]) => {
    if (byLoinc(read, of) === undefined) return []
    const lost = from.filter((part) => read.askedLoincs.has(part) && !byLoinc(read, part))
    return lost.map((part) => `${of} is there without ${part}`)
  })
}

const countsWithShares: Rule = (read) =>
  read.isNumericOnly
    ? []
    : CELLS.flatMap(([count, share]) => {
        const [one, other] = [byLoinc(read, count), byLoinc(read, share)]
        const isHalf = one !== undefined && other !== undefined && one.type !== other.type
        const isWords = one?.type === 'comment' || other?.type === 'comment'
        const isIndicated = one?.result !== 'Not indicated' && other?.result !== 'Not indicated'
        return isHalf && isWords && isIndicated ? [`${count} ${one.result}, ${other.result}`] : []
      })

const flagsFit: Rule = ({ report, interpretation }) =>
  report.results.flatMap(({ name, type, result, flag, reference_range: range, ...bounds }) => {
    const words = `${name} ${result} ${range} ${flag}`
    if (interpretation === 'unknown') {
      const isJudged = /normal|reference range|WITHIN/i.test(result)
      return flag !== null || range !== null || isJudged ? [`judged: ${words}`] : []
    }
    if (interpretation === 'normal' && flag !== 'N' && flag !== null) return [words]
    if (type !== 'numeric') return []
    const value = Number(result)
    const { min_range_value: low, max_range_value: high } = bounds
    const isLow = low !== null && value < low
    const isHigh = high !== null && value > high
    const isWrong =
      (flag === 'N' && (isLow || isHigh)) ||
      (/^[HL]/.test(flag ?? '') && !isLow && !isHigh && value !== low && value !== high)
    return isWrong ? [words] : []
  })

/**
 * Values that are not normal for people of an age and sex. Numbers in the catalog's units.
 */
const IMPLAUSIBLE: readonly (readonly [
  loinc: string,
  who: (read: ReadReport) => boolean,
  least: number,
  most: number,
])[] = (() => {
  const child = ({ ageYears }: ReadReport) => ageYears < 9.5
  const infant = ({ ageYears }: ReadReport) => ageYears < 0.3
  const toddler = ({ ageYears }: ReadReport) => ageYears >= 0.6 && ageYears < 9.5
  const girl = (read: ReadReport) => toddler(read) && read.sex === 'female'
  const boy = (read: ReadReport) => toddler(read) && read.sex === 'male'
  const minor = ({ ageYears }: ReadReport) => ageYears < 18
  const man = ({ sex, ageYears }: ReadReport) => sex === 'male' && ageYears >= 18
  const woman = ({ sex, ageYears }: ReadReport) => sex === 'female' && ageYears >= 18
  const female = ({ sex }: ReadReport) => sex === 'female'
  const old = (read: ReadReport) => woman(read) && read.ageYears >= 55
  const young = (read: ReadReport) => woman(read) && read.ageYears < 40
  const everyone = () => true
  return [
    ['2571-8', everyone, 15, 150],
    ['2571-8', child, 15, 75],
    ['2093-3', everyone, 80, 200],
    ['2345-7', everyone, 50, 100],
    ['2160-0', toddler, 0.1, 0.75],
    ['2160-0', man, 0.6, 1.35],
    ['6768-6', toddler, 80, 470],
    ['6768-6', old, 20, 160],
    ['718-7', everyone, 9, 20],
    ['718-7', man, 13, 17.5],
    ['6690-2', everyone, 3.5, 25],
    ['2986-8', boy, 0, 42],
    ['2986-8', girl, 0, 35],
    ['2986-8', woman, 1, 60],
    ['2986-8', man, 240, 1200],
    ['2243-4', boy, 0, 10],
    ['2243-4', girl, 0, 20],
    ['2243-4', old, 0, 35],
    ['2258-2', toddler, 0, 20],
    ['2254-1', toddler, 0, 45],
    ['1848-1', toddler, 0, 60],
    ['2191-5', toddler, 0, 120],
    ['15067-2', toddler, 0, 10],
    ['15067-2', old, 20, 140],
    ['15067-2', young, 1, 22],
    ['10501-5', toddler, 0, 6],
    ['2839-9', toddler, 0, 0.7],
    ['38476-8', boy, 5, 470],
    ['38476-8', old, 0, 0.5],
    ['2857-1', female, 0, 0.1],
    ['2857-1', minor, 0, 0.2],
    ['19080-1', minor, 0, 5],
    ['2276-4', toddler, 6, 150],
    ['2484-4', toddler, 10, 420],
    ['2465-3', toddler, 200, 1600],
    ['2458-8', infant, 0, 90],
    ['2162-6', toddler, 0.02, 1.3],
    ['2164-2', toddler, 5, 100],
    ['2777-1', toddler, 2.8, 7.5],
    ['3084-1', toddler, 1.5, 6.5],
    ['2324-2', toddler, 2, 40],
    ['1834-1', infant, 20, 100_000],
    ['4537-7', minor, 0, 15],
    ['2885-2', infant, 4, 7.8],
    ['5671-3', everyone, 0, 5],
    ['2142-8', everyone, 0, 0.7],
  ]
})()

const believable: Rule = (read) => {
  if (read.interpretation !== 'normal') return []
  return read.report.results.flatMap((result) => {
    const value = numberOf(result)
    if (value === undefined) return []
    return IMPLAUSIBLE.filter(([loinc, who]) => loinc === result.loinc && who(read))
      .filter(([, , least, most]) => value < least || value > most)
      .map(() => `${result.name} ${result.result} ${result.unit}`)
  })
}

const PREGNANCY = new Set(['2106-3', '2118-8'])
const noPregnantMen: Rule = ({ report, sex, interpretation }) =>
  sex === 'male' && interpretation === 'normal'
    ? report.results
        .filter(({ loinc, result }) => PREGNANCY.has(loinc ?? '') && /positive/i.test(result))
        .map(({ name }) => `${name} of a man is positive`)
    : []

/** Signs of one thing: none of them may be out of the ordinary alone. */
const TOGETHER: readonly (readonly [string, string])[] = [
  ['56888-1', '20447-9'],
  ['20447-9', '29541-0'],
  ['5196-1', '65633-0'],
  ['20507-0', '31147-2'],
  ['19080-1', '2118-8'],
  ['2118-8', '2106-3'],
  ['43304-5', '42931-6'],
  ['5794-3', '13945-1'],
]
const signsAgree: Rule = (read) =>
  TOGETHER.flatMap(([one, other]) => {
    const flags = [byLoinc(read, one)?.flag, byLoinc(read, other)?.flag]
    if (flags.some((flag) => flag === undefined || flag === null)) return []
    const isSplit = (flags[0] === 'N') !== (flags[1] === 'N')
    return isSplit ? [`${one} ${flags[0]}, ${other} ${flags[1]}`] : []
  })

const logOfCopies: Rule = (read) => {
  const [copies, log] = [amountOf(read, '20447-9'), amountOf(read, '29541-0')]
  if (!copies || log === undefined) return []
  return Math.abs(Math.log10(copies) - log) < 0.03 ? [] : [`${copies} copies, ${log} in logarithms`]
}

export const RULES: Readonly<Record<string, Rule>> = {
  formulasHold,
  sharesAreAll,
  oneTruth,
  nothingIsNothing,
  filtration,
  syphilis,
  cortisolFalls,
  urineVolume,
  inputsAreThere,
  countsWithShares,
  flagsFit,
  believable,
  noPregnantMen,
  signsAgree,
  logOfCopies,
}
