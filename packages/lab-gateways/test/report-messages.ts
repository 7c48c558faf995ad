/** Messages of invented laboratories about invented people, written after the standard. */

/** Joins segments as laboratories send them. */
export const message = (...segments: string[]): Buffer =>
  Buffer.from(`${segments.join('\r')}\r`, 'utf8')

export const HEADER_251 =
  'MSH|^~\\&|LIS|ACME|SALUS|ACCT100|20260309085000-0700||ORU^R01^ORU_R01|R-1|P|2.5.1'
export const PATIENT =
  'PID|1||884412^^^ACME^PI~12345^^^SALUS^MR||VANCE^ORLA^M||19900412|F|||1 MAIN ST^^PHOENIX^AZ^85004^USA'

/** 2.3, MSH-9 without a trigger, local times, LOINC in the second group, sites in ZPS. */
export const LEGACY_PANEL = message(
  'MSH|^~\\&|1100|LAB|SALUS|12345678|202603071542||ORU|0000271|P|2.3',
  'PID|1|12345|884413||TARN^MILO||19851130|M|||9 OAK AVE^^TEMPE^AZ^85281|||||||12345678^^^C',
  'ORC|RE|SA00000017^SALUS|06654321^LAB|||||||||1234567893^HALL^RUTH^^^^^N',
  'OBR|1|SA00000017^SALUS|06654321^LAB|322000^Metabolic Panel^L|||202603060905||3^ML||||FASTING|202603061210|SER&Serum|1234567893^HALL^RUTH^^^^^N||||||202603071541||01|F',
  'NTE|1|L|Drawn at home.',
  'OBX|1|NM|001032^Glucose^L^2345-7^Glucose^LN||104|mg/dL|70-99|H||N|F|19980101||202603071530|PHX',
  'OBX|2|NM|001370^Creatinine^L^2160-0^Creatinine^LN||0.92|mg/dL|0.76-1.27|||N|F|||202603071530|PHX',
  'NTE|1|L|Reference interval changed on 02/01/2026.',
  'OBX|3|ST|100779^eGFR^L^98979-8^eGFR^LN|| >59|mL/min/1.73|>59|||N|F|||202603071530|PHX',
  'OBX|4|ST|001099^Carbon Dioxide, Total^L^2028-9^CO2^LN||TNP|mmol/L|20-29|||N|X|||202603071530|PHX',
  'NTE|1|L|Test not performed. Quantity not sufficient for analysis.',
  'OBX|5|ST|009999^Interpretation^L||SEE COMMENTS||||||F',
  'NTE|1|L|First line.',
  'NTE|2|L|',
  'NTE|3|L|Third line.',
  'ZPS|1|PHX|ACME PHOENIX|5005 S 40TH ST^^PHOENIX^AZ^850400000|6025550100||SMITH^JANE^MD|PHX|03D0000001',
)

const code = (loinc: string, name: string) => `${loinc}^${name}^LN`

/** One result of each status of table 0085. */
export const EVERY_STATUS = message(
  HEADER_251,
  PATIENT,
  'ORC|RE|SA00000060^SALUS|FL26-003007^ACME',
  'OBR|1|SA00000060^SALUS|FL26-003007^ACME|80053^CMP^L|||20260308080000-0700|||||||||||||||20260309075900-0700||CH|A',
  `OBX|1|NM|${code('2345-7', 'Glucose')}||99|mg/dL|70-99|N|||F`,
  `OBX|2|NM|${code('3094-0', 'BUN')}||18|mg/dL|7-20|N|||P`,
  `OBX|3|NM|${code('2160-0', 'Creatinine')}||1.1|mg/dL|0.6-1.1||||I`,
  `OBX|4|NM|${code('2951-2', 'Sodium')}|||mmol/L|136-145||||X`,
  'NTE|1|L|Hemolyzed specimen.',
  `OBX|5|NM|${code('2823-3', 'Potassium')}||6.9|mmol/L|3.5-5.1|HH|||C`,
  `OBX|6|NM|${code('2075-0', 'Chloride')}|||mmol/L|98-107||||D`,
  `OBX|7|NM|${code('17861-6', 'Calcium')}||9.1|mg/dL|8.6-10.2|N|||R`,
  `OBX|8|NM|${code('2885-2', 'Protein')}|||g/dL|6.0-8.3||||N`,
  `OBX|9|NM|${code('1751-7', 'Albumin')}|||g/dL|3.5-5.0|N|||U`,
  `OBX|10|NM|${code('1975-2', 'Bilirubin')}||0.4|mg/dL|0.2-1.2|N|||W`,
  `OBX|11|ST|${code('8251-1', 'Question')}||Yes||||||O`,
  `OBX|12|NM|${code('6768-6', 'Alkaline Phosphatase')}||70|U/L|44-121|N|||S`,
  `OBX|13|NM|${code('1920-8', 'AST')}||21|U/L|0-40|N`,
)

/** Two isolates with the same antibiotic, each in a susceptibility panel of its own. */
export const CULTURE = message(
  HEADER_251,
  PATIENT,
  'ORC|RE|SA00000071^SALUS|FL26-001201^ACME',
  'OBR|1|SA00000071^SALUS|FL26-001201^ACME|630-4^Bacteria identified^LN^395^Urine Culture^L|||20260302081500-0700|||||||||||||||20260305094400-0700||MB|F',
  'OBX|1|CWE|630-4^Bacteria identified^LN^395-1^Organism^L|1|112283007^Escherichia coli^SCT||||||F',
  'OBX|2|SN|49223-1^Colony count^LN^395-2^Colony count^L|1|>^100000|{CFU}/mL^^UCUM|<10000|A|||F',
  'OBX|3|CWE|630-4^Bacteria identified^LN^395-1^Organism^L|2|40886007^Klebsiella oxytoca^SCT||||||F',
  'SPM|1|^S-77&ACME||122575003^Urine specimen^SCT|||||||||||||20260302081500-0700|20260302180000-0700',
  'ORC|RE||FL26-001201-1^ACME',
  'OBR|2||FL26-001201-1^ACME|50545-3^Susceptibility panel^LN^395S^Susceptibility^L|||||||G|||||||||||20260305094400-0700||MB|F|630-4&Bacteria identified&LN&395-1&Organism&L^1^Escherichia coli|||SA00000071&SALUS^FL26-001201&ACME',
  'OBX|1|SN|18864-9^Ampicillin^LN^SUS1^Ampicillin^L|1|>=^32|ug/mL^^UCUM||R|||F',
  'OBX|2|SN|18906-8^Ciprofloxacin^LN^SUS2^Ciprofloxacin^L|1|<=^0.25|ug/mL^^UCUM||S|||F',
  'ORC|RE||FL26-001201-2^ACME',
  'OBR|3||FL26-001201-2^ACME|50545-3^Susceptibility panel^LN^395S^Susceptibility^L|||||||G|||||||||||20260305094400-0700||MB|F|630-4&Bacteria identified&LN&395-1&Organism&L^2^Klebsiella oxytoca|||SA00000071&SALUS^FL26-001201&ACME',
  'OBX|1|SN|18864-9^Ampicillin^LN^SUS1^Ampicillin^L|2|<=^2|ug/mL^^UCUM||S|||F',
)

/** Two people, and two orders of the first one, in one message. */
export const SEVERAL_PATIENTS = message(
  HEADER_251,
  'PID|1||884412||VANCE^ORLA||19900412|F',
  'ORC|RE|SA00000080|FL-80',
  'OBR|1|SA00000080|FL-80|100^Sodium Test^L|||||||||||||||||||||F',
  'OBX|1|NM|101^Sodium^L||140|mmol/L|136-145|N|||F',
  'ORC|RE|SA00000081|FL-81',
  'OBR|2|SA00000081|FL-81|100^Sodium Test^L|||||||||||||||||||||F',
  'OBX|1|NM|101^Sodium^L||141|mmol/L|136-145|N|||F',
  'PID|2||884499||TARN^MILO||19851130|M',
  'ORC|RE|SA00000082|FL-82',
  'OBR|1|SA00000082|FL-82|100^Sodium Test^L|||||||||||||||||||||P',
  'OBX|1|NM|101^Sodium^L||142|mmol/L|136-145|N|||P',
)

export const PDF = Buffer.from('%PDF-1.4\ninvented\n%%EOF\n', 'latin1')

/** A PDF in OBX, a second one over two ZEF, and a page of HTML. */
export const DOCUMENTS = message(
  HEADER_251,
  PATIENT,
  'ORC|RE|SA00000090^SALUS|FL-90^ACME',
  'OBR|1|SA00000090^SALUS|FL-90^ACME|88305^Biopsy^L|||||||||||||||||||||F',
  'OBX|1|TX|22637-3^Diagnosis^LN||Benign.||||||F',
  'OBX|2|TX|22637-3^Diagnosis^LN||No further action.||||||F',
  `OBX|3|ED|PDFReport^Report^L||LIS^AP^PDF^Base64^${PDF.toString('base64')}||||||F`,
  `OBX|4|ED|HTML^Page^L||^TEXT^html^Base64^${Buffer.from('<html><p>Benign</p></html>').toString('base64')}||||||F`,
  `ZEF|1|${PDF.toString('base64').slice(0, 12)}`,
  `ZEF|2|${PDF.toString('base64').slice(12)}`,
)
