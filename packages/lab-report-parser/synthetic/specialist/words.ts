import type { Part } from '../style.ts'

/** Languages of the specialist reports. */
export const SPECIALIST_LANGUAGES = ['en', 'de', 'es', 'fr'] as const
export type SpecialistLanguage = (typeof SPECIALIST_LANGUAGES)[number]

const list = (text: string): string[] => text.split('|')

/** Text of each key in tuned reports and, after `~`, in unseen ones. */
const SAID: Record<string, Record<SpecialistLanguage, string>> = {
  cutoff: {
    en: 'Cutoff~Screening threshold',
    de: 'Cut-off~Entscheidungsgrenze',
    es: 'Punto de corte~Umbral',
    fr: 'Seuil~Limite de positivité',
  },
  confirm: {
    en: 'Confirmation level~LOQ',
    de: 'Bestätigung ab~Bestimmungsgrenze',
    es: 'Confirmación~Límite de cuantificación',
    fr: 'Confirmation~LQ',
  },
  found: {
    en: 'Confirmed result~Confirmed',
    de: 'Bestätigtes Ergebnis~Bestätigt',
    es: 'Resultado confirmado~Confirmado',
    fr: 'Résultat de confirmation~Confirmé',
  },
  class: {
    en: 'Class~RAST',
    de: 'Klasse~CAP-Klasse',
    es: 'Clase~Clase RAST',
    fr: 'Classe~Classe CAP',
  },
  male: { en: 'Male~Men', de: 'Männer~m', es: 'Hombres~Varón', fr: 'Homme~H' },
  female: { en: 'Female~Women', de: 'Frauen~w', es: 'Mujeres~Mujer', fr: 'Femme~F' },
  years: { en: 'years~yrs', de: 'Jahre~J.', es: 'años~a.', fr: 'ans~ans' },
  follicular: {
    en: 'Follicular phase~Follicular',
    de: 'Follikelphase~Follikulär',
    es: 'Fase folicular~Folicular',
    fr: 'Phase folliculaire~Folliculaire',
  },
  midcycle: {
    en: 'Mid-cycle peak~Ovulation',
    de: 'Ovulationsphase~Zyklusmitte',
    es: 'Fase ovulatoria~Pico',
    fr: 'Phase ovulatoire~Pic',
  },
  luteal: {
    en: 'Luteal phase~Luteal',
    de: 'Lutealphase~Luteal',
    es: 'Fase lútea~Lútea',
    fr: 'Phase lutéale~Lutéale',
  },
  organism: {
    en: 'Organism~Isolate',
    de: 'Keim~Isolat',
    es: 'Microorganismo~Aislado',
    fr: 'Germe~Souche',
  },
  count: {
    en: 'Colony count~Quantity',
    de: 'Keimzahl~Menge',
    es: 'Recuento~Cantidad',
    fr: 'Numération~Quantité',
  },
  antibiotic: {
    en: 'Antibiotic~Antimicrobial agent',
    de: 'Antibiotikum~Wirkstoff',
    es: 'Antibiótico~Antimicrobiano',
    fr: 'Antibiotique~Molécule',
  },
  gene: {
    en: 'Gene~Gene / variant',
    de: 'Gen~Gen / Variante',
    es: 'Gen~Gen / variante',
    fr: 'Gène~Gène / variant',
  },
  genotype: {
    en: 'Genotype~Diplotype',
    de: 'Genotyp~Diplotyp',
    es: 'Genotipo~Diplotipo',
    fr: 'Génotype~Diplotype',
  },
  phenotype: {
    en: 'Phenotype~Metabolizer status',
    de: 'Phänotyp~Metabolisierung',
    es: 'Fenotipo~Metabolizador',
    fr: 'Phénotype~Métaboliseur',
  },
  critical: {
    en: 'CRITICAL RESULTS~Alert values phoned',
    de: 'KRITISCHE WERTE~Extremwerte, telefonisch gemeldet',
    es: 'VALORES CRÍTICOS~Valores de alarma comunicados',
    fr: 'VALEURS CRITIQUES~Valeurs d’alerte téléphonées',
  },
  legend: {
    en: 'Interpretation~How to read this result',
    de: 'Interpretation~Bewertung der Befunde',
    es: 'Interpretación~Criterios de valoración',
    fr: 'Interprétation~Grille de lecture',
  },
  percent: { en: 'Relative %~%', de: 'Relativ %~%', es: 'Relativo %~%', fr: 'Relatif %~%' },
  absolute: {
    en: 'Absolute 10^3/uL~Abs. (10^9/L)',
    de: 'Absolut 10^3/µl~Abs. (10^9/l)',
    es: 'Absoluto 10^3/µL~Abs. (10^9/L)',
    fr: 'Absolu 10^3/µL~Abs. (10^9/L)',
  },
  negative: { en: 'Negative~Neg', de: 'negativ~neg.', es: 'Negativo~Neg', fr: 'Négatif~Nég' },
  positive: {
    en: 'POSITIVE~Presumptive positive',
    de: 'positiv~POS',
    es: 'Positivo~POS',
    fr: 'Positif~POS',
  },
  nonreactive: {
    en: 'Non-reactive~Nonreactive',
    de: 'nicht reaktiv~nicht reaktiv',
    es: 'No reactivo~No reactivo',
    fr: 'Non réactif~Non réactif',
  },
  trace: { en: 'Trace~Trace', de: 'Spur~Spuren', es: 'Trazas~Indicios', fr: 'Traces~Traces' },
  yellow: { en: 'Yellow~Yellow', de: 'gelb~gelb', es: 'Amarillo~Amarillo', fr: 'Jaune~Jaune' },
  amber: {
    en: 'Amber~Dark yellow',
    de: 'bernsteinfarben~dunkelgelb',
    es: 'Ámbar~Amarillo oscuro',
    fr: 'Ambré~Jaune foncé',
  },
  straw: {
    en: 'Straw~Pale yellow',
    de: 'strohgelb~hellgelb',
    es: 'Pajizo~Amarillo claro',
    fr: 'Paille~Jaune clair',
  },
}

/** Titles above the rows, by kind of report. */
const HEADINGS: Record<string, Record<SpecialistLanguage, string>> = {
  'drug-screen': {
    en: 'Drug screen, urine',
    de: 'Drogenscreening im Urin',
    es: 'Drogas de abuso en orina',
    fr: 'Recherche de toxiques urinaires',
  },
  allergy: {
    en: 'Allergen-specific IgE',
    de: 'Allergenspezifisches IgE',
    es: 'IgE específica',
    fr: 'IgE spécifiques',
  },
  antibiogram: {
    en: 'Urine culture',
    de: 'Urinkultur',
    es: 'Urocultivo',
    fr: 'Examen cytobactériologique des urines',
  },
  genetic: {
    en: 'Pharmacogenetics',
    de: 'Pharmakogenetik',
    es: 'Farmacogenética',
    fr: 'Pharmacogénétique',
  },
  'blood-gas': {
    en: 'Arterial blood gas',
    de: 'Blutgasanalyse, arteriell',
    es: 'Gasometría arterial',
    fr: 'Gaz du sang artériel',
  },
  semen: { en: 'Semen analysis', de: 'Spermiogramm', es: 'Seminograma', fr: 'Spermogramme' },
  coagulation: { en: 'Coagulation', de: 'Gerinnung', es: 'Coagulación', fr: 'Hémostase' },
  'urine-dip': {
    en: 'Urinalysis',
    de: 'Urinstatus',
    es: 'Orina elemental',
    fr: 'Examen des urines',
  },
  titers: {
    en: 'Autoimmune serology',
    de: 'Autoantikörper',
    es: 'Autoinmunidad',
    fr: 'Auto-immunité',
  },
  'serology-index': {
    en: 'Infectious serology',
    de: 'Infektionsserologie',
    es: 'Serología',
    fr: 'Sérologie infectieuse',
  },
  differential: {
    en: 'Manual differential',
    de: 'Differentialblutbild (manuell)',
    es: 'Fórmula leucocitaria manual',
    fr: 'Formule leucocytaire manuelle',
  },
  phases: { en: 'Hormones', de: 'Hormone', es: 'Hormonas', fr: 'Hormones' },
}
const CHEMISTRY = { en: 'Chemistry', de: 'Klinische Chemie', es: 'Bioquímica', fr: 'Biochimie' }

export const sayHeading = (kind: string, language: SpecialistLanguage): string =>
  (HEADINGS[kind] ?? CHEMISTRY)[language]

/** Returns the text of a key in a part; a text that is not a key is returned unchanged. */
export function say(key: string, language: SpecialistLanguage, part: Part): string {
  const [tuned = key, unseen = tuned] = SAID[key]?.[language].split('~') ?? []
  return part === 'tuned' ? tuned : unseen
}

/** Sentences with numbers that are not results, by part. `#` is replaced by the value of a row. */
export const REMARKS: Record<Part, Record<SpecialistLanguage, string[]>> = {
  tuned: {
    en: list(
      'Your result of # is above the goal of 100; repeat in 3 months.|For patients over 40 years a value below 130 is desirable.|The method has a coefficient of variation of 4.2 % at 85 mg/dL.|A value between 100 and 125 mg/dL is consistent with prediabetes.|Repeated and confirmed: # on rerun, 4.1 by the second method, limit 0.02 ng/mL.|Target LDL below 70 mg/dL at high risk, below 55 mg/dL at very high risk.|Specimen hemolyzed (index 40 mg/dL); potassium of # mmol/L may be too high.|Prediabetes: 5.7 to 6.4 %. Diabetes: 6.5 % or more.|Glucose 126 mg/dL or higher on 2 occasions means diabetes.|TSH 2.5 mIU/L is the upper limit in the first trimester.',
    ),
    de: list(
      'Der Wert # liegt über dem Ziel von 100; Kontrolle in 3 Monaten.|Bei Patienten über 40 Jahren ist ein Wert unter 130 anzustreben.|Ein Wert von 100 bis 125 mg/dl spricht für Prädiabetes.|Zielwerte: LDL bei hohem Risiko unter 70 mg/dl, bei sehr hohem Risiko unter 55 mg/dl.|Kalium # mmol/l aus hämolytischem Serum, Kontrolle bis 14 Uhr erbeten.|Prädiabetes: 5,7 bis 6,4 %. Diabetes: ab 6,5 %.|Wiederholt gemessen: # und 4,1 (Referenzmethode 1,02)',
    ),
    es: list(
      'Su resultado de # supera el objetivo de 100; repetir en 3 meses.|En mayores de 40 años es deseable un valor menor de 130.|Un valor entre 100 y 125 mg/dL indica prediabetes.|Prediabetes: 5,7 a 6,4 %. Diabetes: igual o superior a 6,5 %.|Objetivo de LDL en riesgo alto 70 mg/dL, en riesgo muy alto 55 mg/dL.|Muestra hemolizada (índice 40 mg/dL); potasio de # mmol/L quizá elevado.|TSH 2,5 mUI/L es el límite en el primer trimestre.',
    ),
    fr: list(
      'Votre résultat de # dépasse la cible de 100 ; à contrôler dans 3 mois.|Après 40 ans, une valeur inférieure à 130 est souhaitable.|Une valeur entre 100 et 125 mg/dL évoque un prédiabète.|Prédiabète : 5,7 à 6,4 %. Diabète : 6,5 % et plus.|Cible de LDL à haut risque 70 mg/dL, à très haut risque 55 mg/dL.|Échantillon hémolysé (indice 40 mg/dL) ; potassium # mmol/L à contrôler.|TSH 2,5 mUI/L est la limite au premier trimestre.',
    ),
  },
  unseen: {
    en: list(
      'Compared with 2023 (#) there is no change greater than 15 %.|ADA 2024: targets are <7.0 % for most adults and <6.5 % for selected ones.|Hemolysis index 12; potassium may be raised by up to 0.4 mmol/L.|Guideline note 7: treat when 190 mg/dL or more on 2 occasions.',
    ),
    de: list(
      'Gegenüber 2023 (#) keine Änderung über 15 %.|Hämolyseindex 12; Kalium kann um bis zu 0,4 mmol/l erhöht sein.|Leitlinie 7: Behandlung ab 190 mg/dl bei 2 Messungen.',
    ),
    es: list(
      'Respecto a 2023 (#) no hay cambios mayores del 15 %.|Índice de hemólisis 12; el potasio puede aumentar hasta 0,4 mmol/L.|Guía 7: tratar a partir de 190 mg/dL en 2 ocasiones.',
    ),
    fr: list(
      'Par rapport à 2023 (#) pas de variation supérieure à 15 %.|Indice d’hémolyse 12 ; le potassium peut être majoré de 0,4 mmol/L.|Recommandation 7 : traiter à partir de 190 mg/dL à 2 reprises.',
    ),
  },
}
