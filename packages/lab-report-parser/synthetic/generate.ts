import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawDocument } from './document.ts'
import { PICTURE_KINDS, takePicture } from './pictures.ts'
import { drawSpecialist } from './specialist/draw.ts'
import { FAMILIES, type Part } from './style.ts'

/**
 * `node packages/lab-report-parser/synthetic/generate.ts --seed N --count N --out DIR [--part
 * tuned|unseen] [--as text|scan|photo|fax] [--reports ordinary|specialist]`: laboratory reports
 * with what is printed in them, as `npm run eval:lab-reports` reads it. Documents have the seeds N,
 * N + 1 and so on; the unseen part is not used for tuning. Specialist reports, a kind after
 * the other, have a `.kind.json` too: what they are, and whether a parser may refuse them.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10' },
    out: { type: 'string' },
    part: { type: 'string', default: 'tuned' },
    as: { type: 'string', default: 'text' },
    reports: { type: 'string', default: 'ordinary' },
  },
})
const kind = ['text', ...PICTURE_KINDS].find((known) => known === values.as)
const isKnown = values.part in FAMILIES && ['ordinary', 'specialist'].includes(values.reports)
if (values.out === undefined || !isKnown || kind === undefined) {
  console.error(
    'usage: generate.ts --seed N --count N --out DIR [--part tuned|unseen] [--as text|scan|photo|fax] [--reports ordinary|specialist]',
  )
  process.exit(2)
}
mkdirSync(values.out, { recursive: true })
const from = Number(values.seed)
for (let seed = from; seed < from + Number(values.count); seed++) {
  const part = values.part as Part
  const specialist = values.reports === 'specialist' ? await drawSpecialist(seed, part) : null
  const { name, pdf, rows, header } = specialist ?? (await drawDocument(seed, part))
  const { bytes, extension } =
    kind === 'text'
      ? { bytes: pdf, extension: 'pdf' }
      : await takePicture(pdf, kind as (typeof PICTURE_KINDS)[number], seed)
  const path = join(
    values.out,
    `${values.part}-${String(seed).padStart(5, '0')}-${name}-${kind}.${extension}`,
  )
  writeFileSync(path, bytes)
  writeFileSync(`${path}.truth.json`, JSON.stringify(rows, null, 1))
  if (rows.length > 0) writeFileSync(`${path}.header.json`, JSON.stringify(header, null, 1))
  if (specialist !== null) {
    const said = { kind: specialist.kind, may_refuse: specialist.mayRefuse }
    writeFileSync(`${path}.kind.json`, JSON.stringify(said, null, 1))
  }
}
console.log(`${values.count} documents in ${values.out}`)
