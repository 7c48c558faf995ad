import { join } from 'node:path'
import { readMigrations } from '@salus/kernel/migrations'
import { openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { loadStartingDiagnosisCodes } from '@salus/lab/insurance'
import { searchDiagnoses } from '../../lab/src/insurance/diagnoses/diagnosis-search.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { createClient } from './client.ts'
import { median, percentile, type Row, secondsOf, times } from './measure.ts'
import { startServer } from './server-process.ts'

const ROUNDS = 5
const MOST_MILLISECONDS = 20

/** What people type, by what it costs; those of `taken` come from the codes themselves. */
const TEXTS = {
  usual: `diabetes|type 2 diabetes|hypertension|high blood pressure|hyperlipidemia|vitamin d|anemia|iron deficiency
    anemia|hypothyroidism|obesity|chest pain|abdominal pain|fatigue|fever|cough|headache|back pain|uti|urinary tract
    infection|chronic kidney disease|ckd stage 3|hepatitis c|hiv|screening|screening for lipid disorders|pregnancy|
    routine exam|asthma|copd|depression|anxiety|atrial fibrillation|heart failure|gout|rheumatoid arthritis|lupus|
    prostate|breast cancer|malignant neoplasm of breast|crohn's disease|celiac|lyme|covid|influenza|pneumonia|
    gerd|cirrhosis of liver|pancreatitis|thyroid nodule|pcos|menopause|infertility|osteoporosis|long term use of
    insulin|elevated psa|abnormal glucose|prediabetes|hyperglycemia|hypokalemia|dehydration|sepsis|migraine`,
  begun: `dia|diab|hyp|hypert|hypo|vit|vita|ane|iron def|chr kid|chron|infl|pneu|asth|neo|mal neo|carc|lym|leuk|thy|
    obes|preg|scr|exp|fam his|pers hist|abn|elev|unsp|disp fr|frac|inj|pois|burn`,
  two: `di|un|re|in|fr|co|pa|de|ac|an|ch|di|en|ex|fe|he|hy|le|li|lo|ma|ne|ot|pe|po|pr|ri|se|si|sp|st|su|tr|ul|xx|zz`,
  broad: `unspecified|initial encounter|subsequent encounter|sequela|fracture|displaced fracture|right|left|other|of|
    unspecified fracture of right|other specified disorders|displaced fracture of shaft of left femur|without|bone|
    open fracture type I|encounter for fracture with routine healing|disorder|disease|injury of unspecified`,
  mistyped: `diabetis|hypertenshun|hypothyroidsm|anemai|vitamin d deficency|pnuemonia|asthama|cronic kidney disease|
    hyperlipidema|artritis|osteoperosis|depresion|migrane|gluacoma|athersclerosis|diahrea|neuropaty|psoriasus`,
  nothing: 'qqqqq|xyzzy plugh|femur diabetes cholera|%%|a b c d',
}
type Kind = keyof typeof TEXTS | 'codes' | 'descriptions'

/**
 * Searching the codes of ICD-10-CM: the queries alone, and over HTTP, and how long loading them
 * takes.
 */
export async function benchDiagnosisSearch(directory: string, databaseUrl: string): Promise<Row[]> {
  const admin = openDatabase({ url: databaseUrl, poolSize: 1 })
  await admin.pool.query('create database diagnoses')
  await admin.close()
  const url = new URL(databaseUrl)
  url.pathname = '/diagnoses'
  const { db, pool, close } = openDatabase({ url: url.href, poolSize: 2 })
  try {
    await migratePostgres(pool, readMigrations(join(MIGRATIONS_FOLDER, 'postgres')))
    const seconds = await secondsOf(() => loadStartingDiagnosisCodes(db, new Date()))
    const { rows: codes } = await pool.query<{ code: string; description: string }>(
      'select code, description from diagnosis_codes where is_billable order by md5(code) limit 120',
    )
    const kinds = kindsOf(codes)
    const sql = await measure(kinds, (text) => searchDiagnoses(db, text))
    const server = await startServer(join(directory, 'diagnoses'), { DATABASE_URL: url.href })
    const client = createClient(server, 1)
    const path = '/v3/insurance/search/diagnosis?diagnosis_query='
    const http = await measure(kinds, (text) => client.call('GET', path + encodeURIComponent(text)))
    await client.close()
    await server.stop()
    return [...toRows(sql, http), loadingRow(seconds)]
  } finally {
    await close()
  }
}

function kindsOf(codes: readonly { code: string; description: string }[]): Map<Kind, string[]> {
  const lists = Object.entries(TEXTS).map(([kind, texts]): [Kind, string[]] => [
    kind as Kind,
    [...new Set(texts.split('|').map((text) => text.trim().replace(/\s+/g, ' ')))],
  ])
  const beginnings = codes.flatMap(({ code }) => [code, code.slice(0, 3), code.slice(0, 2)])
  const descriptions = codes.map(({ description }) => description.slice(0, 100).trim())
  return new Map<Kind, string[]>([
    ...lists,
    ['codes', [...new Set(beginnings)]],
    ['descriptions', descriptions],
  ])
}

/**
 * Milliseconds of each text: the median of the rounds, so that a pause of the machine is no slow
 * search.
 */
async function measure(
  kinds: ReadonlyMap<Kind, readonly string[]>,
  read: (text: string) => Promise<unknown>,
): Promise<Map<Kind, number[]>> {
  const measured = new Map<Kind, number[]>()
  for (const [kind, texts] of kinds) {
    const medians: number[] = []
    for (const text of texts) {
      const milliseconds: number[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        const startedAt = performance.now()
        await read(text)
        // The first round fills caches.
        if (round > 0) milliseconds.push(performance.now() - startedAt)
      }
      medians.push(median(milliseconds))
    }
    measured.set(kind, medians)
  }
  return measured
}

function toRows(sql: Map<Kind, number[]>, http: Map<Kind, number[]>): Row[] {
  const row = (name: string, alone: readonly number[], whole: readonly number[]): Row => {
    const figures = (values: readonly number[]): string =>
      `${percentile(values, 0.95).toFixed(1)} ms (p50 ${median(values).toFixed(1)}, most ${Math.max(...values).toFixed(1)})`
    const p95 = percentile(whole, 0.95)
    return {
      job: `search diagnoses, ${whole.length} texts, ${name}, p95`,
      salus: figures(whole),
      comparedWith: 'its queries alone',
      other: figures(alone),
      ratio: times(median(whole) / median(alone)),
      goal: `< ${MOST_MILLISECONDS} ms`,
      isMet: p95 < MOST_MILLISECONDS,
    }
  }
  const kinds = [...http].map(([kind, values]) => row(kind, sql.get(kind) ?? [], values))
  return [row('all', [...sql.values()].flat(), [...http.values()].flat()), ...kinds]
}

const loadingRow = (seconds: number): Row => ({
  job: 'loading 95,358 diagnosis codes, in the background of a first start',
  salus: `${seconds.toFixed(2)} s`,
  comparedWith: '',
  other: '',
  ratio: '',
  goal: '< 2 s',
  isMet: seconds < 2,
})
