import { parseArgs } from 'node:util'

import type { Word } from '../../src/pages/page.ts'
import { DAMAGES, type DrawnField, drawTable } from './draw-table.ts'
import { ENGINES } from './engines.ts'

/**
 * `node packages/lab-report-parser/eval/recognition/compare.ts [--engines both,main] [--pages 1] [--seed 1] [--verbose]`:
 * draws pages of every kind of damage at 150 and 200 dpi and prints, for each way of reading them, how many fields were
 * read without an error, and the processor's seconds a page.
 */
const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: Object.keys(ENGINES).join(',') },
    pages: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
})
for (const engine of values.engines.split(',')) {
  const create = ENGINES[engine]
  if (!create) throw new Error(`no engine ${engine}; there are ${Object.keys(ENGINES).join(', ')}`)
  await measureEngine(engine, create)
}

async function measureEngine(name: string, create: (typeof ENGINES)[string]): Promise<void> {
  const recognizer = await create()
  const right = new Map<string, { count: number; right: number }>()
  let seconds = 0
  let pages = 0
  for (const dpi of [150, 200]) {
    for (const damage of DAMAGES) {
      for (let page = 0; page < Number(values.pages); page++) {
        const table = await drawTable(Number(values.seed) * 1000 + pages, dpi, damage)
        const before = process.cpuUsage()
        const words = await recognizer.recognize(table.raster)
        const { user, system } = process.cpuUsage(before)
        seconds += (user + system) / 1e6
        pages++
        for (const field of table.fields) {
          const read = readField(words, field)
          const isRight = normalize(read) === normalize(field.text)
          if (!isRight && values.verbose) console.log(`${dpi} ${damage} ${field.text} -> ${read}`)
          for (const key of [field.kind, `${dpi} dpi`, damage, 'all']) {
            const sum = right.get(key) ?? { count: 0, right: 0 }
            right.set(key, { count: sum.count + 1, right: sum.right + Number(isRight) })
          }
        }
      }
    }
  }
  await recognizer.close?.()
  const rates = [...right].map(
    ([key, sum]) => `${key} ${((100 * sum.right) / sum.count).toFixed(1)} of ${sum.count}`,
  )
  console.log(`${name}: ${(seconds / pages).toFixed(2)} s a page; ${rates.join(', ')}`)
}

/** The words whose middle is in the field, from left to right. */
function readField(words: readonly Word[], { box }: DrawnField): string {
  const margin = box.height * 0.3
  return words
    .filter((word) => {
      const x = word.box.x + word.box.width / 2
      const y = word.box.y + word.box.height / 2
      return (
        x > box.x - margin &&
        x < box.x + box.width + margin &&
        y > box.y - box.height * 0.15 &&
        y < box.y + box.height * 1.15
      )
    })
    .sort((a, b) => a.box.x - b.box.x)
    .map((word) => word.text)
    .join('')
}

/** Spaces, kinds of dashes, and whether an exponent is raised are for later stages. */
function normalize(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '').replace(/[–—−]/g, '-')
}
