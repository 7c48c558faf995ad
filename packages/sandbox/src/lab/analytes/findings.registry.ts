/** What laboratories answer in words rather than by measuring. */
export interface FindingRow {
  /** Our own name of it, unique. */
  finding: string
  /** LOINC codes, separated by blanks. */
  loincs: string
  /** Names that mean it, of results whose code is not known here. The first row that fits counts. */
  names: RegExp
  /** Words for healthy people; one of them is taken. */
  normal: readonly string[]
  /** Words for others; none for what is neither good nor bad. */
  abnormal: readonly string[]
  /** What is printed as reference; null for nothing. */
  reference: string | null
  /** An immunoassay: it may be printed as an index, which is good below, or above, its cutoff. */
  index?: 'below' | 'above'
  /** What is measured to find it, where that is no index: good is below, or nothing at all. */
  cutoff?: { value: number; unit: string; isNothingGood?: true }
  /** Words are dilutions, `1:8`. */
  isTiter?: true
  /** It is looked for only where another result of the report is not as with healthy people. */
  isFollowUp?: true
}

const NEGATIVE = { normal: ['Negative'], abnormal: ['Positive'], reference: 'Negative' } as const
const NOT_DETECTED = {
  normal: ['Not Detected'],
  abnormal: ['Detected'],
  reference: 'Not Detected',
} as const
const NON_REACTIVE = {
  normal: ['Non-Reactive'],
  abnormal: ['Reactive'],
  reference: 'Non-Reactive',
} as const
const NONE_SEEN = {
  normal: ['None seen'],
  abnormal: ['Few', 'Moderate', 'Many'],
  reference: 'None seen',
} as const
const NOTE = { abnormal: [], reference: null } as const

export const FINDINGS: readonly FindingRow[] = [
  {
    finding: 'note',
    loincs:
      '46963-5 52797-8 77202-0 49549-9 51969-4 31208-2 72486-4 80563-0 22638-1 48672-0 22636-5 22639-9 51967-8 11546-9 19773-1 19763-2 19767-3 19769-9 75608-0 8251-1 62365-2 41103-3 51968-6 11502-2 22633-2 11279-7 48767-8 39111-0',
    names:
      /^(pdf|comments?|notes?|please note|references?|methodology|director|routing|recommendations?)\b|\b(comments?|pathologist|director|electronically signed|performed by|disclaimer)\b/i,
    normal: ['See note'],
    ...NOTE,
  },
  {
    finding: 'specimen_source',
    loincs: '',
    names: /\b(specimen|sample) (source|type|site)\b|^source\b/i,
    normal: ['As submitted'],
    ...NOTE,
  },
  {
    finding: 'urine_color',
    loincs: '5778-6',
    names: /\bcolou?r\b/i,
    normal: ['Yellow', 'Yellow', 'Light yellow', 'Straw'],
    // Not red or brown: a report whose strip finds no blood would contradict it.
    abnormal: ['Amber', 'Dark yellow'],
    reference: 'Yellow',
  },
  {
    finding: 'urine_appearance',
    loincs: '5767-9 32167-9 19244-3',
    names: /\b(appearance|clarity|turbidity|character)\b/i,
    normal: ['Clear'],
    abnormal: ['Cloudy', 'Turbid'],
    reference: 'Clear',
  },
  {
    finding: 'urine_nitrite',
    loincs: '5802-4',
    names: /\bnitrite\b/i,
    ...NEGATIVE,
  },
  {
    finding: 'urine_urobilinogen',
    loincs: '5818-0',
    names: /\burobilinogen\b/i,
    normal: ['Normal'],
    abnormal: ['Increased'],
    reference: 'Normal',
  },
  {
    finding: 'urine_dipstick',
    loincs:
      '5792-7 25428-4 2349-9 5770-3 1978-6 20505-4 5797-6 2514-8 5794-3 5804-0 20454-5 5799-2 20408-1 20409-9 1753-3',
    names:
      /\b(ketones?|leukocyte esterase)\b|\b(protein|glucose|bilirubin|blood).*\burine\b.*\bql\b/i,
    normal: ['Negative'],
    abnormal: ['1+', '2+', '3+'],
    reference: 'Negative',
  },
  {
    finding: 'urine_white_cells',
    loincs: '5821-4',
    names: /\b(wbc|white blood cells?|leukocytes)\b.*\b(sediment|hpf|microscop\w*)\b/i,
    normal: ['0-5', 'None seen'],
    abnormal: ['10-20', '20-40'],
    reference: '0-5',
  },
  {
    finding: 'urine_red_cells',
    loincs: '13945-1 5808-1',
    names: /\b(rbc|red blood cells?|erythrocytes)\b.*\b(sediment|hpf|microscop\w*)\b/i,
    normal: ['0-2', 'None seen'],
    abnormal: ['3-10', '10-20'],
    reference: '0-2',
  },
  {
    finding: 'urine_epithelial_cells',
    loincs: '11277-1 5787-7 12258-0 30089-7',
    names: /\bepithelial cells?\b/i,
    normal: ['0-5', 'None seen'],
    abnormal: ['6-10', '10-20'],
    reference: '0-5',
  },
  {
    finding: 'microscopy',
    loincs:
      '5769-5 25145-4 32356-8 5822-2 5796-8 25162-9 9842-6 5782-8 5783-6 5774-5 8247-9 5813-1 13655-6',
    names:
      /\b(casts?|crystals?|mucus|yeasts?|bacteria|trichomonas).*\b(sediment|hpf|lpf|urine)\b|\bwhite blood cells, stool\b|^(crystals?|mucus|hyaline casts?)$/i,
    ...NONE_SEEN,
  },
  {
    finding: 'culture',
    loincs: '630-4 600-7 6463-4 634-6 635-3 6462-6 610-6 17898-8 626-2 624-7',
    names:
      /\b(urine|blood|wound|throat|aerobic|anaerobic|genital|fungus) culture\b|\bculture, (urine|blood|wound|throat|aerobic|anaerobic)\b/i,
    normal: ['No growth'],
    abnormal: ['Escherichia coli, greater than 100,000 CFU/mL'],
    reference: 'No growth',
    cutoff: { value: 10000, unit: 'CFU/mL' },
  },
  {
    finding: 'stool_culture',
    loincs: '625-4 43371-4 6331-3',
    names: /\bstool culture\b|\bsalmonella\b|\bshigella\b|\bcampylobacter\b|\bculture\b/i,
    normal: ['Not isolated'],
    abnormal: ['Isolated'],
    reference: 'Not isolated',
  },
  {
    finding: 'ova_and_parasites',
    loincs: '673-4 10701-1 10704-5',
    names: /\bova\b|\bparasites?\b/i,
    normal: ['No ova or parasites seen'],
    abnormal: ['Giardia duodenalis cysts seen'],
    reference: 'None seen',
  },
  {
    finding: 'gram_stain',
    loincs: '664-3',
    names: /\b(gram|acid.fast) stain\b/i,
    normal: ['No organisms seen'],
    abnormal: ['Gram-negative rods seen'],
    reference: 'No organisms seen',
  },
  {
    finding: 'cytology',
    loincs: '47527-7 47528-5 47526-9',
    names: /\b(cytology|pap)\b|^diagnosis\b/i,
    normal: ['Negative for intraepithelial lesion or malignancy'],
    abnormal: ['Atypical squamous cells of undetermined significance'],
    reference: null,
  },
  {
    finding: 'specimen_adequacy',
    loincs: '19764-0',
    names: /\badequacy\b/i,
    normal: ['Satisfactory for evaluation'],
    abnormal: [],
    reference: null,
  },
  {
    finding: 'blood_group',
    loincs: '883-9',
    names: /\babo\b|\bblood (group|type)\b/i,
    normal: ['O', 'A', 'O', 'A', 'B', 'AB'],
    abnormal: [],
    reference: null,
  },
  {
    finding: 'blood_group_and_rh',
    loincs: '882-1',
    names: /\babo.*\brh\b/i,
    normal: ['O Positive', 'A Positive', 'B Positive', 'O Negative'],
    abnormal: [],
    reference: null,
  },
  {
    finding: 'rh_type',
    loincs: '10331-7',
    names: /\brh(\(d\))?( type| factor)?$/i,
    normal: ['Positive', 'Positive', 'Positive', 'Negative'],
    abnormal: [],
    reference: null,
  },
  {
    finding: 'blood_group_antibodies',
    loincs: '890-4',
    names: /^antibody screen\b/i,
    ...NEGATIVE,
  },
  {
    finding: 'viral_load_log',
    loincs: '29541-0',
    names: /\b(rna|dna|viral load)\b.*\blog\b/i,
    normal: ['Not Detected'],
    // Logarithms of the copies below, in their order.
    abnormal: ['3.19', '4.45'],
    reference: 'Not Detected',
    cutoff: { value: 1.3, unit: 'log copies/mL', isNothingGood: true },
  },
  {
    finding: 'viral_load',
    loincs: '20447-9 25836-8 11011-4 38180-6 20416-4 47252-2 11258-1 29615-2 48398-2 42595-9',
    names: /\b(rna|dna)\b.*\b(quant\w*|log|viral load)\b|\bviral load\b/i,
    normal: ['Not Detected'],
    abnormal: ['1540', '28400'],
    reference: 'Not Detected',
    cutoff: { value: 20, unit: 'copies/mL', isNothingGood: true },
  },
  {
    finding: 'genotype',
    loincs: '32286-7',
    names: /\bgenotype\b/i,
    normal: ['1a'],
    abnormal: [],
    reference: null,
  },
  {
    finding: 'gene_variant',
    loincs: '21667-1 24476-4 21654-9 43399-5 28005-7',
    names:
      /\b(mutations?|variants?|gene|genes|leiden|v617f|c677t|g20210a|trisomy|deletion|hla-\w+)\b/i,
    ...NOT_DETECTED,
  },
  {
    finding: 'nucleic_acid',
    loincs:
      '43304-5 43305-2 46154-1 42931-6 60256-5 23301-5 21613-5 24111-7 50387-0 50388-8 53925-4 53927-0 53926-2 6357-8 21416-3 16130-7 16131-5 20444-6 30167-1 59420-0 71431-1 77399-4 77400-0 94500-6 94559-2 54905-5 54906-3 54067-4 25835-0 11259-9 80364-3',
    names: /\b(naat?|pcr|dna|rna|amplified|hpv|sars-cov-2|covid-19|influenza)\b/i,
    ...NOT_DETECTED,
  },
  {
    finding: 'immunity',
    loincs: '5334-8 8014-3 5403-1 15410-4 5244-9 7962-4 7966-5 6476-6 22322-2 10900-9',
    names:
      /\b(rubella|rubeola|measles|mumps|varicella|vzv)\b.*\b(igg|ab|antibod\w+)\b|\bhep\w*\.? ?b surf\w* (ab|antibod\w+)\b/i,
    normal: ['Immune'],
    abnormal: ['Non-Immune'],
    reference: 'Immune',
    index: 'above',
  },
  {
    finding: 'reagin_titer',
    loincs: '31147-2',
    names: /\b(rpr|vdrl|reagin)\b.*\btiters?\b/i,
    normal: ['<1:1'],
    abnormal: ['1:1', '1:2', '1:4', '1:8', '1:16', '1:32', '1:64'],
    reference: '<1:1',
    isTiter: true,
    isFollowUp: true,
  },
  {
    finding: 'titer',
    loincs: '5048-4 29953-7 5381-9',
    names: /\btiters?\b/i,
    normal: ['<1:40'],
    abnormal: ['1:160', '1:320', '1:640'],
    reference: '<1:40',
    isTiter: true,
  },
  {
    finding: 'antinuclear_pattern',
    loincs: '14611-8 13068-2',
    names: /\bpattern\b/i,
    normal: ['Homogeneous', 'Speckled'],
    abnormal: [],
    reference: null,
  },
  {
    finding: 'reagin',
    loincs: '20507-0 5292-8',
    names: /\b(rpr|vdrl|reagin)\b/i,
    ...NON_REACTIVE,
  },
  {
    finding: 'serology',
    loincs:
      '56888-1 31201-7 48345-3 7918-6 29893-5 5196-1 5195-3 65633-0 13952-7 24113-3 31204-1 13954-3 13953-5 13955-0 16128-1 13951-9 13950-1 22314-9 22587-0 6561-5 47238-1 24110-9 24312-1',
    names: /\b(hiv|hepatitis|hep [abc]|hbsag|hcv|hbv|hav|syphilis|treponema\w*)\b/i,
    ...NON_REACTIVE,
    index: 'below',
  },
  {
    finding: 'pregnancy',
    loincs: '2106-3 2118-8 2110-5 2112-1',
    names: /\bpregnancy\b|\bhcg\b.*\bqual\w*\b/i,
    ...NEGATIVE,
    cutoff: { value: 5, unit: 'mIU/mL' },
  },
  {
    finding: 'drug_screen',
    loincs:
      '3349-8 3779-6 3393-6 3397-7 3879-4 18390-5 18282-4 3390-2 3377-9 3773-9 3936-2 10998-3 3414-0 11235-9 11004-9 10976-9 19141-1 19295-5 19261-7 14314-9 14316-4 19270-8 19550-3 19659-2 58430-0',
    names:
      /\b(drug screen|amphetamines?|methamphetamines?|barbiturates?|benzodiazepines?|cannabinoids?|thc|cocaine|opiates?|oxycodone|methadone|phencyclidine|pcp|fentanyl|buprenorphine|propoxyphene|tramadol|mdma)\b/i,
    ...NEGATIVE,
    cutoff: { value: 300, unit: 'ng/mL' },
  },
  {
    finding: 'occult_blood',
    loincs: '29771-3 57905-2 2335-8',
    names: /\b(occult blood|fobt|immunochemical)\b/i,
    ...NEGATIVE,
    cutoff: { value: 100, unit: 'ng/mL' },
  },
  {
    finding: 'cell_morphology',
    loincs: '18314-5 6742-1 9317-9 738-5 741-9 728-6 10378-8',
    names: /\bmorphology\b/i,
    normal: ['Normal'],
    abnormal: ['Abnormal'],
    reference: 'Normal',
  },
  {
    finding: 'stool_fat',
    loincs: '2270-7',
    names: /^fat\b/i,
    normal: ['Normal'],
    abnormal: ['Increased'],
    reference: 'Normal',
  },
  {
    finding: 'antigen_or_toxin',
    loincs: '17780-8 6412-1 41487-0 34468-9 21262-1',
    names: /\b(antigen|ag|toxins?)\b/i,
    ...NOT_DETECTED,
    index: 'below',
  },
  {
    finding: 'antibody',
    loincs:
      '8061-4 5206-8 5209-2 51916-5 43180-9 34148-7 13503-8 13502-0 7886-5 7885-7 31374-2 5124-3 5126-8 94563-4 5176-3 10362-2 11090-8 29374-6 17792-3 17791-5 48159-8 5213-4',
    names: /\b(antibod(y|ies)|ab|ig[agm]|ana|immunoblot)\b|\banti-/i,
    ...NEGATIVE,
    index: 'below',
  },
  {
    finding: 'interpretation',
    loincs: '',
    names: /\binterpretation\b|^results?\b|\bdiagnosis\b/i,
    normal: ['Within normal limits'],
    abnormal: ['Abnormal'],
    reference: null,
  },
  {
    finding: 'presence',
    loincs: '',
    names: /(?:)/,
    ...NEGATIVE,
  },
]
