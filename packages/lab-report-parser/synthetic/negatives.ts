import { ANALYTES } from './analytes.ts'
import { Painter } from './painter.ts'
import type { Random } from './random.ts'
import { drawStyle } from './style.ts'
import { LANGUAGES, WORDS } from './words.ts'

export const NEGATIVES = [
  'invoice',
  'price-list',
  'requisition',
  'discharge',
  'radiology',
  'curriculum',
  'appointment',
] as const
export type Negative = (typeof NEGATIVES)[number]

const LETTERS: Record<
  'discharge' | 'radiology' | 'curriculum' | 'appointment',
  { title: string; paragraphs: string[] }[]
> = {
  discharge: [
    {
      title: 'DISCHARGE SUMMARY',
      paragraphs: [
        'The patient was admitted on 03/04/2024 with community acquired pneumonia and discharged home on 03/09/2024 in good condition.',
        'On admission temperature 38.4 C, blood pressure 134/82 mmHg, pulse 96, respiratory rate 22, oxygen saturation 93% on room air.',
        'Treatment: ceftriaxone 1 g daily for 5 days, then amoxicillin 500 mg three times a day for 5 days.',
        'Follow-up with the family doctor within 10 days. Chest radiograph in 6 weeks. Return if fever exceeds 38.0 C.',
      ],
    },
    {
      title: 'Entlassungsbrief',
      paragraphs: [
        'Wir berichten über die stationäre Behandlung vom 04.03.2024 bis 09.03.2024 wegen einer ambulant erworbenen Pneumonie.',
        'Bei Aufnahme Temperatur 38,4 Grad, Blutdruck 134/82 mmHg, Puls 96, Sauerstoffsättigung 93 Prozent.',
        'Medikation bei Entlassung: Ramipril 5 mg 1-0-0, Amoxicillin 1000 mg 1-1-1 für 5 Tage.',
        'Wir empfehlen eine Kontrolle in 10 Tagen und danken für die Überweisung.',
      ],
    },
  ],
  radiology: [
    {
      title: 'CT ABDOMEN AND PELVIS WITH CONTRAST',
      paragraphs: [
        'Clinical history: right lower quadrant pain for 2 days. Technique: 5 mm axial images after 100 mL of contrast.',
        'Liver: 15.2 cm in span, no focal lesion. Gallbladder: wall 2 mm, no stones. Common duct: 4 mm.',
        'Kidneys: right 10.8 cm, left 11.1 cm; no hydronephrosis. A simple cyst of 14 x 12 mm in the left kidney.',
        'Impression: 1. No acute appendicitis. 2. Simple renal cyst, no follow-up needed.',
      ],
    },
    {
      title: 'ECOGRAFÍA ABDOMINAL',
      paragraphs: [
        'Hígado de tamaño normal, 14,8 cm, ecoestructura homogénea. Vesícula con pared de 2 mm, sin cálculos.',
        'Riñón derecho 10,6 cm, riñón izquierdo 10,9 cm, sin dilatación. Bazo de 9,8 cm.',
        'Conclusión: exploración sin hallazgos patológicos.',
      ],
    },
  ],
  curriculum: [
    {
      title: 'Curriculum vitae',
      paragraphs: [
        'Medical laboratory scientist with 11 years of experience in haematology and clinical chemistry.',
        '2018 - 2025: Senior scientist, regional hospital. Responsible for 4 analysers and 320,000 tests a year.',
        '2014 - 2018: Laboratory technician. Introduced quality control of HbA1c, TSH and troponin.',
        'Education: BSc Biomedical Science, 2013, grade 1.7. Languages: English, Spanish (B2).',
      ],
    },
  ],
  appointment: [
    {
      title: 'Appointment confirmation',
      paragraphs: [
        'Your blood test is booked for 14 March 2025 at 08:40. Please arrive 10 minutes early and bring your insurance card.',
        'Fasting: nothing to eat for 10 - 12 hours before. Water is allowed. Tests: lipid panel, glucose, TSH.',
        'To change the appointment call 555 0134 between 9:00 and 17:00.',
      ],
    },
  ],
}

/** Draws a document that people upload by mistake: it contains no test results. */
export async function drawNegative(random: Random, kind: Negative): Promise<Uint8Array> {
  const style = drawStyle(random, 'tuned')
  const painter = new Painter(style)
  painter.addPage()
  if (kind === 'invoice' || kind === 'price-list' || kind === 'requisition')
    drawTestList(painter, random, kind)
  else {
    const { title, paragraphs } = random.pick(LETTERS[kind])
    painter.text(random.pick(WORDS.en.labNames), painter.left, painter.y, {
      cut: 'bold',
      size: style.size * 1.4,
    })
    painter.y += style.size * 3
    painter.text(title, painter.left, painter.y, { cut: 'bold', size: style.size * 1.2 })
    painter.y += style.size * 2.4
    for (const paragraph of paragraphs) {
      for (const line of painter.wrap(paragraph, painter.right - painter.left)) {
        painter.text(line, painter.left, painter.y)
        painter.y += painter.step
      }
      painter.y += style.size
    }
  }
  return painter.finish()
}

const TITLES = {
  invoice: {
    en: 'INVOICE',
    es: 'FACTURA',
    fr: 'FACTURE',
    de: 'RECHNUNG',
    pt: 'FATURA',
    it: 'FATTURA',
    nl: 'FACTUUR',
  },
  'price-list': {
    en: 'Price list 2025',
    es: 'Lista de precios 2025',
    fr: 'Tarifs 2025',
    de: 'Preisliste 2025',
    pt: 'Tabela de preços 2025',
    it: 'Listino prezzi 2025',
    nl: 'Prijslijst 2025',
  },
  requisition: {
    en: 'Laboratory requisition',
    es: 'Solicitud de análisis',
    fr: "Ordonnance d'analyses",
    de: 'Laboranforderung',
    pt: 'Requisição de exames',
    it: 'Richiesta di esami',
    nl: 'Laboratoriumaanvraag',
  },
}

/** Draws names of tests with prices, or with check boxes. */
function drawTestList(painter: Painter, random: Random, kind: keyof typeof TITLES): void {
  const language = random.pick(LANGUAGES)
  const { style } = painter
  const words = WORDS[language]
  painter.text(random.pick(words.labNames), painter.left, painter.y, {
    cut: 'bold',
    size: style.size * 1.5,
  })
  painter.y += style.size * 3
  painter.text(TITLES[kind][language], painter.left, painter.y, {
    cut: 'bold',
    size: style.size * 1.3,
  })
  painter.y += style.size * 2.2
  painter.text(
    `${words.labels.patient[0]}: ${random.pick(words.firstNames.female)} ${random.pick(words.lastNames)}`,
    painter.left,
    painter.y,
  )
  painter.y += style.size * 2.2
  const names = ANALYTES.map((analyte) => analyte[language].split('|')[0] ?? '').filter(
    (name) => name !== '',
  )
  const currency = language === 'en' ? '$' : '€'
  let total = 0
  for (let count = random.whole(8, 22); count > 0; count--) {
    const name = random.pick(names)
    if (kind === 'requisition') {
      painter.frame(painter.left, painter.y, style.size * 0.8, style.size * 0.8)
      if (random.chance(0.4)) painter.text('x', painter.left + 2, painter.y - 2)
      painter.text(name, painter.left + style.size * 1.6, painter.y)
      if (random.chance(0.5))
        painter.text(`${random.whole(80_000, 89_999)}`, painter.left + 260, painter.y)
    } else {
      const price = random.between(4, 90)
      total += price
      painter.text(String(random.whole(1000, 9999)), painter.left, painter.y)
      painter.text(name, painter.left + 60, painter.y)
      const written = language === 'en' ? price.toFixed(2) : price.toFixed(2).replace('.', ',')
      painter.text(
        language === 'en' ? `${currency}${written}` : `${written} ${currency}`,
        painter.right - 80,
        painter.y,
        { align: 'right', width: 80 },
      )
    }
    painter.y += painter.step
  }
  if (kind === 'invoice') {
    painter.text(`Total ${currency} ${total.toFixed(2)}`, painter.right - 140, painter.y + 8, {
      cut: 'bold',
      align: 'right',
      width: 140,
    })
  }
}
