import type { TruthHeader } from '../eval/truth.ts'
import type { Painter } from './painter.ts'
import type { Random } from './random.ts'
import type { Report } from './report.ts'
import { WORDS } from './words.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Dates in one notation of the country. */
function drawDateNotation(random: Random, language: Report['language']): (date: Date) => string {
  const parts = (date: Date) => [
    String(date.getUTCDate()).padStart(2, '0'),
    String(date.getUTCMonth() + 1).padStart(2, '0'),
    String(date.getUTCFullYear()),
  ]
  const style = random.whole(0, 2)
  return (date) => {
    const [day = '', month = '', year = ''] = parts(date)
    if (language === 'en') {
      if (style === 0) return `${month}/${day}/${year}`
      if (style === 1) return `${day}-${MONTHS[date.getUTCMonth()]}-${year}`
      return `${year}-${month}-${day}`
    }
    if (language === 'de') return `${day}.${month}.${year}`
    if (language === 'nl') return `${day}-${month}-${year}`
    return style === 1 ? `${day}-${month}-${year}` : `${day}/${month}/${year}`
  }
}

/**
 * Prepares head and foot of every page; the facts that are printed are put into the header of the
 * report.
 */
export function framePages(painter: Painter, random: Random, report: Report): void {
  const words = WORDS[report.language]
  const { style } = painter
  const write = drawDateNotation(random, report.language)
  const { first, last, sex } = report.person
  const name =
    style.nameOrder === 'first-last'
      ? `${first} ${last}`
      : style.nameOrder === 'last-first'
        ? `${last.toUpperCase()} ${first}`
        : `${last.toUpperCase()}, ${first.toUpperCase()}`
  const time = random.chance(0.4)
    ? ` ${String(random.whole(6, 17)).padStart(2, '0')}:${random.whole(10, 59)}`
    : ''
  const colon = random.pick([':', ':', ': ', ' :'])
  const pick = (key: keyof typeof words.labels) => random.pick(words.labels[key])
  const facts: [label: string, value: string][] = [
    [pick('patient'), name],
    [pick('birth'), write(report.person.birth)],
    [pick('sex'), random.pick(words[sex])],
    [pick('id'), String(random.whole(100_000, 9_999_999))],
    [pick('doctor'), `Dr. ${random.pick(words.lastNames)}`],
    [pick('specimen'), report.specimen],
    [pick('collected'), write(report.collected) + time],
    [pick('received'), write(report.collected)],
    [pick('reported'), write(report.reported) + time],
  ]
  report.header = {
    patient_first_name: style.nameOrder === 'last-comma' ? first.toUpperCase() : first,
    patient_last_name: style.nameOrder === 'first-last' ? last : last.toUpperCase(),
    dob: write(report.person.birth),
    gender: sex,
    lab_name: report.lab,
    date_reported: write(report.reported) + time,
    date_collected: write(report.collected) + time,
    specimen_number: report.specimen,
  } satisfies TruthHeader
  const address = random.pick(words.cities)
  const phone = `Tel. ${random.whole(200, 989)} 555 ${random.whole(1000, 9999)}`
  const title = random.pick(words.title)
  const footer = random.pick(words.footers)
  const pageWords = pick('page')
  painter.onPage = () => {
    watermark(painter)
    drawLetterhead(painter, report.lab, `${address} · ${phone}`)
    if (painter.pages === 1 || style.repeatsHeader) {
      drawFacts(painter, facts, colon)
      painter.text(title, painter.left, painter.y, { cut: 'bold', size: style.size * 1.25 })
      painter.y += style.size * 2.4
    }
    if (!style.hasFooter) return
    const y = painter.doc.page.height - style.margin - 8
    painter.text(footer, painter.left, y, { size: 7, color: '#555555' })
    // How many pages follow is not known yet, so only the number of this one is printed.
    const number = pageWords.replace(/#( (of|de|sur|von|di|van) ##|\/##)/, String(painter.pages))
    painter.text(number, painter.right - 80, y, {
      size: 7,
      align: 'right',
      width: 80,
      color: '#555555',
    })
  }
}

function watermark({ style, doc }: Painter): void {
  if (style.watermark === null) return
  const { width, height } = doc.page
  doc.save().rotate(-40, { origin: [width / 2, height / 2] })
  doc.font('bold').fontSize(90).fillColor('#ececec')
  doc.text(style.watermark, width / 2 - 190, height / 2 - 40, { lineBreak: false })
  doc.restore()
}

function drawLetterhead(painter: Painter, lab: string, address: string): void {
  const { style } = painter
  let x = painter.left
  if (style.hasLogo) {
    painter.doc.circle(x + 12, painter.y + 12, 12).fill(style.accent)
    painter.doc.circle(x + 16, painter.y + 9, 5).fill('#ffffff')
    x += 34
  }
  const align = style.header === 'centered' ? ('center' as const) : ('left' as const)
  const width = painter.right - x
  painter.text(lab, x, painter.y, {
    cut: 'bold',
    size: style.size * 1.6,
    color: style.accent,
    align,
    width,
  })
  painter.text(address, x, painter.y + style.size * 2, {
    size: style.size * 0.8,
    color: '#444444',
    align,
    width,
  })
  painter.y += style.size * 3.6
  painter.line(painter.left, painter.y, painter.right, painter.y, style.accent, 1)
  painter.y += style.size
}

function drawFacts(painter: Painter, facts: [string, string][], colon: string): void {
  const { style } = painter
  const size = style.size * 0.95
  const step = size * 1.5
  const columns = style.header === 'lines' || style.header === 'centered' ? 3 : 2
  const width = (painter.right - painter.left) / columns
  const top = painter.y
  for (const [at, [label, value]] of facts.entries()) {
    const x = painter.left + (at % columns) * width + 4
    const y = top + Math.floor(at / columns) * step + 3
    const written = `${label}${colon.trimEnd()}`
    painter.text(written, x, y, { size, cut: style.header === 'grid' ? 'regular' : 'bold' })
    const aside =
      style.header === 'two-columns'
        ? width * 0.42
        : painter.measure(`${written}  `, { size, cut: 'bold' })
    painter.text(value, x + aside, y, { size })
  }
  const height = Math.ceil(facts.length / columns) * step + 6
  if (style.header === 'box') painter.frame(painter.left, top, painter.right - painter.left, height)
  if (style.header === 'grid') {
    for (let row = 0; row <= Math.ceil(facts.length / columns); row++) {
      painter.line(painter.left, top + row * step, painter.right, top + row * step, '#bbbbbb')
    }
  }
  painter.y = top + height + style.size
}
