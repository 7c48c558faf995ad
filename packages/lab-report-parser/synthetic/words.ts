/**
 * Words that reports print around their results, in each language. They were written for the
 * generator; the parser has its own words.
 */

export type Language = 'en' | 'es' | 'fr' | 'de' | 'pt' | 'it' | 'nl'
export const LANGUAGES: Language[] = ['en', 'es', 'fr', 'de', 'pt', 'it', 'nl']

interface Words {
  columns: Record<'name' | 'value' | 'unit' | 'range' | 'flag' | 'previous' | 'method', string[]>
  minimum: string
  maximum: string
  inRange: string
  outOfRange: string
  flags: {
    words: [high: string, low: string][]
    letters: [high: string, low: string][]
    normal: string
  }
  range: {
    to: string
    below: string[]
    above: string[]
    label: string[]
    men: string
    women: string
  }
  labels: Record<
    | 'patient'
    | 'birth'
    | 'sex'
    | 'age'
    | 'id'
    | 'doctor'
    | 'specimen'
    | 'collected'
    | 'received'
    | 'reported'
    | 'page'
    | 'sample'
    | 'methodLabel',
    string[]
  >
  male: string[]
  female: string[]
  labNames: string[]
  title: string[]
  panels: Record<string, string[]>
  qualitative: Record<string, string>
  samples: { blood: string; serum: string; urine: string }
  methods: string[]
  comments: string[]
  footers: string[]
  firstNames: { male: string[]; female: string[] }
  lastNames: string[]
  cities: string[]
}

const list = (text: string): string[] => text.split('|')
const pairs = (text: string): [string, string][] =>
  text.split('|').map((pair) => pair.split('/') as [string, string])
const table = (text: string): Record<string, string[]> =>
  Object.fromEntries(
    text.split('; ').map((entry) => {
      const [key = '', words = ''] = entry.split(': ')
      return [key, list(words)]
    }),
  )
const dictionary = (text: string): Record<string, string> =>
  Object.fromEntries(text.split('; ').map((entry) => entry.split(': ') as [string, string]))

export const WORDS: Record<Language, Words> = {
  en: {
    columns: {
      name: list('Test|Test Name|Analyte|Component|Investigation|Tests|Parameter|Test Description'),
      value: list('Result|Results|Value|Your Value|Observed Value|Current Result|Result Value'),
      unit: list('Units|Unit|UOM'),
      range: list(
        'Reference Range|Reference Interval|Ref. Range|Normal Range|Biological Ref. Interval|Standard Range|Bio. Ref. Range',
      ),
      flag: list('Flag|Flags|Abnormal|Status|H/L'),
      previous: list('Previous Result|Previous Result and Date|Prior|Last Result'),
      method: list('Method|Lab|Specimen'),
    },
    minimum: 'Low',
    maximum: 'High',
    inRange: 'In Range',
    outOfRange: 'Out of Range',
    flags: {
      words: pairs('High/Low|HIGH/LOW|Above High/Below Low'),
      letters: pairs('H/L|H/L|HI/LO'),
      normal: 'Normal',
    },
    range: {
      to: 'to',
      below: list('<|< |≤|<=|Up to |Less than |< OR = '),
      above: list('>|> |≥|>=|> OR = |Greater than '),
      label: list('Reference Range:|Ref:|Normal range:|Standard range:'),
      men: 'M',
      women: 'F',
    },
    labels: {
      patient: list('Patient Name|Patient|Name|Patient name'),
      birth: list('DOB|Date of Birth|Birth Date'),
      sex: list('Sex|Gender'),
      age: list('Age'),
      id: list('Patient ID|MRN|Member ID'),
      doctor: list('Ordering Physician|Ref. By|Referring Doctor|Provider'),
      specimen: list('Specimen ID|Accession Number|Accession #|Specimen #|Sample No.|Lab No.'),
      collected: list('Collected|Date Collected|Collection Date|Collected On|Sample Collected'),
      received: list('Received|Date Received'),
      reported: list('Reported|Date Reported|Report Date|Reported On'),
      page: list('Page # of ##'),
      sample: list('Specimen|Sample Type'),
      methodLabel: list('Method'),
    },
    male: list('Male|M|MALE'),
    female: list('Female|F|FEMALE'),
    labNames: list(
      'Northgate Clinical Laboratory|Blue Ridge Diagnostics|Harbor Pathology Associates|Summit Reference Laboratories|Greenfield Medical Laboratory|Cedar Park Diagnostics Inc.|Riverside Path Lab',
    ),
    title: list('LABORATORY REPORT|Final Report|Laboratory Results|Test Results|Pathology Report'),
    panels: table(
      'cbc: Complete Blood Count|CBC|Hematology|CBC With Differential/Platelet|HAEMATOLOGY; diff: Differential|Differential Count|WBC Differential; diffabs: Absolute Counts|Absolute Leukocyte Count; inflammation: Inflammation Markers|Inflammation; chem: Basic Metabolic Panel|Chemistry|Comp. Metabolic Panel (14)|Biochemistry|Kidney Function Test; lytes: Electrolytes|Serum Electrolytes; liver: Hepatic Function Panel|Liver Function Test|Liver Profile; muscle: Muscle Enzymes; pancreas: Pancreatic Enzymes; lipids: Lipid Panel|Lipid Profile|Lipid Panel, Standard; diabetes: Diabetes|Glycated Hemoglobin|Diabetes Screen; thyroid: Thyroid Panel|Thyroid Profile|Thyroid Function; iron: Iron Studies|Iron and TIBC|Anemia Panel; vitamins: Vitamins|Vitamins and Nutrition; tumor: Tumor Markers; hormones: Hormones|Endocrinology|Endocrine; coag: Coagulation|Coagulation Studies; immuno: Immunology|Immunoglobulins; cardiac: Cardiac Markers; urinechem: Urine Chemistry|Urine, Random; urine: Urinalysis|Urinalysis, Complete|URINE ROUTINE EXAMINATION; sediment: Urine Microscopy|Microscopic Examination; serology: Infectious Disease Serology|Serology; pcr: Molecular Microbiology|Respiratory Pathogens',
    ),
    qualitative: dictionary(
      'negative: Negative; positive: Positive; trace: Trace; plus1: 1+; plus2: 2+; plus3: 3+; yellow: Yellow; strawyellow: Straw; amber: Amber; darkyellow: Dark Yellow; clear: Clear; cloudy: Cloudy; turbid: Turbid; none: None seen; few: Few; moderate: Moderate; nonreactive: Non-Reactive; reactive: Reactive; notdetected: Not Detected; detected: Detected',
    ),
    samples: { blood: 'Whole Blood', serum: 'Serum', urine: 'Urine' },
    methods: list(
      'Enzymatic|Photometry|Immunoassay|Calculated|ISE|Colorimetric|Flow Cytometry|CLIA|ECLIA|Turbidimetry',
    ),
    comments: list(
      'Prediabetes: 5.7 - 6.4; Diabetes: >6.4; Glycemic control for adults with diabetes: <7.0|Desirable <200 mg/dL; borderline 200-239 mg/dL; high 240 mg/dL or more.|Please note change in reference interval as of 01/15/2023.|Specimen slightly hemolyzed; results may be affected.|Results were obtained by immunoassay and cannot be interpreted as absolute evidence of disease.|Verified by repeat analysis. Called to ward at 14:35.|For ages 18 and over; consult your physician within 10 days.',
    ),
    footers: list(
      'This report is confidential and intended for the named recipient only.|Results relate only to the specimen received. Tests marked with * are not accredited.|Laboratory Director: Dr. R. Hallworth, MD|End of report',
    ),
    firstNames: {
      male: list('James|Oliver|Marcus|Henry|Daniel|Arjun'),
      female: list('Emma|Grace|Natalie|Priya|Hannah|Olivia'),
    },
    lastNames: list('Whitfield|Ashdown|Kendrick|Fairburn|Lindqvist|Okafor|Raman'),
    cities: list(
      '12 Mill Lane, Fairview, OH 44126|480 Elm Street, Portland, ME 04101|27 High Road, Reading RG1 2AB',
    ),
  },
  es: {
    columns: {
      name: list('Prueba|Determinación|Análisis|Parámetro|Examen|Analito'),
      value: list('Resultado|Resultados|Valor'),
      unit: list('Unidades|Unidad'),
      range: list(
        'Valores de referencia|Intervalo de referencia|Rango de referencia|V. Referencia|Valores normales',
      ),
      flag: list('Indicador|Alerta|Ind.'),
      previous: list('Resultado anterior|Anterior|Previo'),
      method: list('Método|Técnica'),
    },
    minimum: 'Mínimo',
    maximum: 'Máximo',
    inRange: 'Dentro de rango',
    outOfRange: 'Fuera de rango',
    flags: {
      words: pairs('Alto/Bajo|ALTO/BAJO|Elevado/Disminuido'),
      letters: pairs('H/L|A/B'),
      normal: 'Normal',
    },
    range: {
      to: 'a',
      below: list('<|< |Hasta |Menor de |Inferior a '),
      above: list('>|> |Mayor de |Superior a '),
      label: list('Valores de referencia:|V.R.:|Referencia:'),
      men: 'Hombres',
      women: 'Mujeres',
    },
    labels: {
      patient: list('Paciente|Nombre del paciente|Nombre'),
      birth: list('Fecha de nacimiento|F. nacimiento|Fec. Nac.'),
      sex: list('Sexo'),
      age: list('Edad'),
      id: list('Nº historia|Historia clínica|DNI'),
      doctor: list('Médico|Solicitado por|Dr. solicitante'),
      specimen: list('Nº de petición|Nº muestra|Orden|Nº Laboratorio'),
      collected: list('Fecha de toma|Fecha de extracción|Toma de muestra'),
      received: list('Recibido|Fecha de recepción'),
      reported: list('Fecha de informe|Fecha de validación|Fecha de emisión'),
      page: list('Página # de ##|Pág. #/##'),
      sample: list('Muestra|Tipo de muestra'),
      methodLabel: list('Método|Técnica'),
    },
    male: list('Hombre|Masculino|M|Varón'),
    female: list('Mujer|Femenino|F'),
    labNames: list(
      'Laboratorio Clínico San Telmo|Análisis Clínicos del Norte|Laboratorios Alameda|Centro Diagnóstico Miralba',
    ),
    title: list(
      'INFORME DE RESULTADOS|Informe analítico|Resultados de laboratorio|INFORME DE LABORATORIO',
    ),
    panels: table(
      'cbc: Hemograma|HEMATOLOGÍA|Biometría hemática|Serie roja y blanca; diff: Fórmula leucocitaria|Recuento diferencial; diffabs: Recuento absoluto|Valores absolutos; inflammation: Marcadores de inflamación; chem: Bioquímica|BIOQUÍMICA CLÍNICA|Química sanguínea; lytes: Iones|Electrolitos; liver: Perfil hepático; muscle: Enzimas musculares; pancreas: Perfil pancreático; lipids: Perfil lipídico|Lípidos; diabetes: Diabetes|Control glucémico; thyroid: Hormonas tiroideas|Perfil tiroideo; iron: Metabolismo del hierro|Perfil férrico; vitamins: Vitaminas; tumor: Marcadores tumorales; hormones: Hormonas; coag: Coagulación|Hemostasia; immuno: Inmunología|Proteínas; cardiac: Marcadores cardíacos; urinechem: Bioquímica de orina; urine: Sistemático de orina|Uroanálisis|Examen general de orina; sediment: Sedimento urinario; serology: Serología; pcr: Microbiología molecular',
    ),
    qualitative: dictionary(
      'negative: Negativo; positive: Positivo; trace: Indicios; plus1: +; plus2: ++; plus3: +++; yellow: Amarillo; strawyellow: Amarillo claro; amber: Ámbar; darkyellow: Amarillo oscuro; clear: Transparente; cloudy: Turbio; turbid: Ligeramente turbio; none: No se observan; few: Escasas; moderate: Moderadas; nonreactive: No reactivo; reactive: Reactivo; notdetected: No detectado; detected: Detectado',
    ),
    samples: { blood: 'Sangre total', serum: 'Suero', urine: 'Orina' },
    methods: list(
      'Espectrofotometría|Quimioluminiscencia|Enzimático|Citometría de flujo|Turbidimetría|Cálculo',
    ),
    comments: list(
      'Prediabetes: 5,7 - 6,4 %. Diabetes: igual o superior a 6,5 %.|Muestra ligeramente hemolizada.|Resultado verificado por repetición el 12/03.|Valor deseable inferior a 200 mg/dL; límite 200-239 mg/dL.',
    ),
    footers: list(
      'Este informe no podrá reproducirse parcialmente sin autorización del laboratorio.|Los resultados se refieren únicamente a la muestra recibida.|Responsable técnico: Dra. P. Valdés',
    ),
    firstNames: {
      male: list('Javier|Álvaro|Martín|Tomás'),
      female: list('Lucía|Carmen|Elena|Marta'),
    },
    lastNames: list('Robledo|Quintana|Aldecoa|Villamar|Peñalba'),
    cities: list('C/ Olmo 14, 28012 Madrid|Av. Reforma 210, Ciudad de México'),
  },
  fr: {
    columns: {
      name: list('Analyse|Examen|Paramètre|Analyses'),
      value: list('Résultat|Résultats|Valeur'),
      unit: list('Unités|Unité'),
      range: list('Valeurs de référence|Valeurs usuelles|Intervalle de référence|Normes'),
      flag: list('Alerte|Interprétation'),
      previous: list('Antériorité|Résultat antérieur|Antériorités'),
      method: list('Méthode|Technique'),
    },
    minimum: 'Minimum',
    maximum: 'Maximum',
    inRange: 'Dans les normes',
    outOfRange: 'Hors normes',
    flags: { words: pairs('Élevé/Bas|Haut/Bas'), letters: pairs('H/B|H/L'), normal: 'Normal' },
    range: {
      to: 'à',
      below: list('<|< |Inférieur à |Inf. à '),
      above: list('>|> |Supérieur à |Sup. à '),
      label: list('Valeurs de référence :|Réf. :|Valeurs usuelles :'),
      men: 'Homme',
      women: 'Femme',
    },
    labels: {
      patient: list('Patient|Nom du patient|Nom, prénom'),
      birth: list('Date de naissance|Né(e) le'),
      sex: list('Sexe'),
      age: list('Âge'),
      id: list('N° patient|IPP'),
      doctor: list('Prescripteur|Médecin prescripteur'),
      specimen: list('N° de dossier|N° échantillon|Dossier n°'),
      collected: list('Date de prélèvement|Prélevé le'),
      received: list('Reçu le|Enregistré le'),
      reported: list("Édité le|Date d'édition|Validé le"),
      page: list('Page # sur ##|Page #/##'),
      sample: list('Échantillon|Nature du prélèvement'),
      methodLabel: list('Méthode|Technique'),
    },
    male: list('Masculin|M|Homme'),
    female: list('Féminin|F|Femme'),
    labNames: list(
      'Laboratoire de Biologie Médicale des Tilleuls|Laboratoire Saint-Aubin|BioMédi Val de Loire|Laboratoire du Parc',
    ),
    title: list("COMPTE RENDU D'ANALYSES|Résultats d'analyses|Compte rendu de biologie médicale"),
    panels: table(
      'cbc: HÉMATOLOGIE|Hémogramme|Numération formule sanguine; diff: Formule leucocytaire; diffabs: Formule leucocytaire (valeurs absolues); inflammation: Marqueurs inflammatoires; chem: BIOCHIMIE|Biochimie sanguine|Biochimie générale; lytes: Ionogramme sanguin; liver: Bilan hépatique; muscle: Enzymes musculaires; pancreas: Bilan pancréatique; lipids: Bilan lipidique|Exploration des lipides; diabetes: Équilibre glycémique; thyroid: Bilan thyroïdien|Hormonologie thyroïdienne; iron: Bilan martial; vitamins: Vitamines; tumor: Marqueurs tumoraux; hormones: Hormonologie; coag: Hémostase|Coagulation; immuno: Immunologie|Protéines spécifiques; cardiac: Marqueurs cardiaques; urinechem: Biochimie urinaire; urine: Bandelette urinaire|Examen des urines; sediment: Sédiment urinaire; serology: Sérologies; pcr: Biologie moléculaire',
    ),
    qualitative: dictionary(
      'negative: Négatif; positive: Positif; trace: Traces; plus1: +; plus2: ++; plus3: +++; yellow: Jaune; strawyellow: Jaune clair; amber: Ambré; darkyellow: Jaune foncé; clear: Limpide; cloudy: Trouble; turbid: Légèrement trouble; none: Absence; few: Rares; moderate: Quelques; nonreactive: Négatif; reactive: Positif; notdetected: Non détecté; detected: Détecté',
    ),
    samples: { blood: 'Sang total', serum: 'Sérum', urine: 'Urines' },
    methods: list(
      'Spectrophotométrie|Chimiluminescence|Cytométrie en flux|Immunoturbidimétrie|Enzymatique|Calcul',
    ),
    comments: list(
      'Objectif thérapeutique : inférieur à 7,0 % chez le patient diabétique.|Prélèvement légèrement hémolysé.|Valeur contrôlée sur le même échantillon à 15h20.|Chez le sujet de 18 à 60 ans, interpréter selon le contexte clinique.',
    ),
    footers: list(
      'Toute reproduction partielle de ce document est interdite.|Compte rendu validé par le biologiste responsable : Dr C. Aubrac.|Accréditation portée disponible sur demande.',
    ),
    firstNames: {
      male: list('Julien|Antoine|Mathieu|Luc'),
      female: list('Camille|Sophie|Élodie|Claire'),
    },
    lastNames: list('Delorme|Vasseur|Montclair|Rivaud|Lestienne'),
    cities: list('8 rue des Lilas, 37000 Tours|15 avenue Foch, 69006 Lyon'),
  },
  de: {
    columns: {
      name: list('Untersuchung|Parameter|Analyse|Bezeichnung|Test'),
      value: list('Ergebnis|Messwert|Wert|Resultat'),
      unit: list('Einheit|Einheiten'),
      range: list('Referenzbereich|Normbereich|Normalwert|Ref.-Bereich|Referenzintervall'),
      flag: list('Bewertung|Markierung|+/-'),
      previous: list('Vorwert|Vorbefund'),
      method: list('Methode|Material'),
    },
    minimum: 'Minimum',
    maximum: 'Maximum',
    inRange: 'Im Normbereich',
    outOfRange: 'Außerhalb',
    flags: {
      words: pairs('erhöht/erniedrigt|hoch/niedrig'),
      letters: pairs('H/L|+/-|H/N'),
      normal: 'normal',
    },
    range: {
      to: 'bis',
      below: list('<|< |bis '),
      above: list('>|> |über '),
      label: list('Referenzbereich:|Ref.:|Normbereich:'),
      men: 'm',
      women: 'w',
    },
    labels: {
      patient: list('Patient|Name|Patientenname'),
      birth: list('Geburtsdatum|geb. am|Geb.-Datum'),
      sex: list('Geschlecht'),
      age: list('Alter'),
      id: list('Patienten-Nr.|Versicherten-Nr.'),
      doctor: list('Einsender|Anfordernder Arzt'),
      specimen: list('Auftragsnummer|Labornummer|Probennummer'),
      collected: list('Entnahmedatum|Abnahmedatum|Entnahme'),
      received: list('Eingang|Eingangsdatum'),
      reported: list('Befunddatum|Berichtsdatum|Ausgang'),
      page: list('Seite # von ##'),
      sample: list('Material|Probenmaterial'),
      methodLabel: list('Methode'),
    },
    male: list('männlich|m|Männlich'),
    female: list('weiblich|w|Weiblich'),
    labNames: list(
      'Labor Dr. Brandl & Kollegen|MVZ Labor Lindenau|Medizinisches Labor Nordstern|Laborgemeinschaft Rheinau',
    ),
    title: list('Laborbefund|Befundbericht|LABORBERICHT|Endbefund'),
    panels: table(
      'cbc: Hämatologie|Kleines Blutbild|Blutbild|Großes Blutbild; diff: Differentialblutbild; diffabs: Differentialblutbild absolut; inflammation: Entzündungsparameter; chem: Klinische Chemie|Nierenwerte|Niere / Stoffwechsel; lytes: Elektrolyte; liver: Leberwerte|Leber / Galle; muscle: Muskelenzyme; pancreas: Pankreas; lipids: Fettstoffwechsel|Lipide; diabetes: Diabetes-Diagnostik|Kohlenhydratstoffwechsel; thyroid: Schilddrüse|Schilddrüsendiagnostik; iron: Eisenstoffwechsel; vitamins: Vitamine; tumor: Tumormarker; hormones: Hormone|Endokrinologie; coag: Gerinnung; immuno: Immunologie|Immunglobuline; cardiac: Herzmarker; urinechem: Urinchemie; urine: Urinstatus|Urin-Teststreifen; sediment: Urinsediment; serology: Infektionsserologie; pcr: Molekularbiologie|PCR-Diagnostik',
    ),
    qualitative: dictionary(
      'negative: negativ; positive: positiv; trace: Spur; plus1: +; plus2: ++; plus3: +++; yellow: gelb; strawyellow: hellgelb; amber: bernsteinfarben; darkyellow: dunkelgelb; clear: klar; cloudy: trüb; turbid: leicht trüb; none: keine; few: vereinzelt; moderate: mäßig; nonreactive: negativ; reactive: positiv; notdetected: nicht nachweisbar; detected: nachweisbar',
    ),
    samples: { blood: 'EDTA-Blut', serum: 'Serum', urine: 'Urin' },
    methods: list('Photometrie|ECLIA|Durchflusszytometrie|Turbidimetrie|enzymatisch|berechnet'),
    comments: list(
      'Prädiabetes: 5,7 - 6,4 %, Diabetes mellitus: ab 6,5 %.|Probe leicht hämolytisch.|Wert durch Zweitmessung bestätigt.|Zielwert bei hohem Risiko unter 70 mg/dl, bei sehr hohem Risiko unter 55 mg/dl.',
    ),
    footers: list(
      'Dieser Befund wurde elektronisch erstellt und ist ohne Unterschrift gültig.|Mit * gekennzeichnete Verfahren sind nicht akkreditiert.|Ärztliche Leitung: Dr. med. H. Brandl',
    ),
    firstNames: {
      male: list('Lukas|Jonas|Stefan|Matthias'),
      female: list('Anna|Katharina|Sabine|Lena'),
    },
    lastNames: list('Hoffmeier|Brinkmann|Lindner|Ackerfeld|Vogtland'),
    cities: list('Lindenstr. 5, 04177 Leipzig|Hauptstr. 88, 50667 Köln'),
  },
  pt: {
    columns: {
      name: list('Exame|Análise|Parâmetro|Teste'),
      value: list('Resultado|Resultados|Valor'),
      unit: list('Unidade|Unidades'),
      range: list('Valores de referência|Valor de Referência|Intervalo de referência|V.R.'),
      flag: list('Alerta|Indicador'),
      previous: list('Resultado anterior|Anterior'),
      method: list('Método|Material'),
    },
    minimum: 'Mínimo',
    maximum: 'Máximo',
    inRange: 'Dentro do intervalo',
    outOfRange: 'Fora do intervalo',
    flags: {
      words: pairs('Alto/Baixo|ALTO/BAIXO|Elevado/Diminuído'),
      letters: pairs('A/B|H/L'),
      normal: 'Normal',
    },
    range: {
      to: 'a',
      below: list('<|< |Até |Inferior a |Menor que '),
      above: list('>|> |Superior a |Maior que '),
      label: list('Valores de referência:|V.R.:|Referência:'),
      men: 'Homens',
      women: 'Mulheres',
    },
    labels: {
      patient: list('Paciente|Nome|Cliente'),
      birth: list('Data de nascimento|Nascimento|Data Nasc.'),
      sex: list('Sexo'),
      age: list('Idade'),
      id: list('Prontuário|CPF|Código'),
      doctor: list('Médico|Solicitante|Médico solicitante'),
      specimen: list('Nº do pedido|Protocolo|Amostra nº'),
      collected: list('Data da coleta|Coleta|Coletado em'),
      received: list('Recebido em|Entrada'),
      reported: list('Data de emissão|Liberado em|Data do laudo'),
      page: list('Página # de ##|Pág. #/##'),
      sample: list('Material|Amostra'),
      methodLabel: list('Método'),
    },
    male: list('Masculino|M'),
    female: list('Feminino|F'),
    labNames: list(
      'Laboratório Bela Vista|Laboratório de Análises Clínicas Aurora|Diagnósticos Serra Azul|Laboratório Santa Clara',
    ),
    title: list('LAUDO DE EXAMES|Resultados de exames|Relatório de análises clínicas'),
    panels: table(
      'cbc: HEMOGRAMA|Hemograma completo|Eritrograma e plaquetas; diff: Leucograma|Contagem diferencial; diffabs: Leucograma (absoluto); inflammation: Provas inflamatórias; chem: BIOQUÍMICA|Bioquímica; lytes: Eletrólitos|Ionograma; liver: Função hepática; muscle: Enzimas musculares; pancreas: Enzimas pancreáticas; lipids: Lipidograma|Perfil lipídico; diabetes: Diabetes|Controle glicêmico; thyroid: Função tireoidiana|Perfil tireoidiano; iron: Perfil do ferro|Metabolismo do ferro; vitamins: Vitaminas; tumor: Marcadores tumorais; hormones: Hormônios|Dosagens hormonais; coag: Coagulograma|Coagulação; immuno: Imunologia; cardiac: Marcadores cardíacos; urinechem: Bioquímica urinária; urine: Urina tipo I|Exame de urina (EAS)|Sumário de urina; sediment: Sedimento urinário|Sedimentoscopia; serology: Sorologia; pcr: Biologia molecular',
    ),
    qualitative: dictionary(
      'negative: Negativo; positive: Positivo; trace: Traços; plus1: +; plus2: ++; plus3: +++; yellow: Amarelo; strawyellow: Amarelo claro; amber: Âmbar; darkyellow: Amarelo escuro; clear: Límpido; cloudy: Turvo; turbid: Ligeiramente turvo; none: Ausentes; few: Raras; moderate: Moderada; nonreactive: Não reagente; reactive: Reagente; notdetected: Não detectado; detected: Detectado',
    ),
    samples: { blood: 'Sangue total', serum: 'Soro', urine: 'Urina' },
    methods: list(
      'Colorimétrico enzimático|Quimioluminescência|Automatizado|Imunoturbidimetria|Cinético|Cálculo',
    ),
    comments: list(
      'Pré-diabetes: 5,7 a 6,4 %. Diabetes: igual ou superior a 6,5 %.|Amostra discretamente hemolisada.|Resultado confirmado em nova dosagem.|Para maiores de 20 anos, desejável inferior a 190 mg/dL.',
    ),
    footers: list(
      'A interpretação dos resultados deve ser feita pelo médico.|Responsável técnico: Dra. L. Meireles|Os resultados referem-se à amostra recebida.',
    ),
    firstNames: {
      male: list('Rafael|Thiago|Gustavo|João'),
      female: list('Beatriz|Larissa|Inês|Mariana'),
    },
    lastNames: list('Figueiredo|Nogueira|Meireles|Tavares|Assunção'),
    cities: list('Rua das Acácias 310, São Paulo|Rua do Ouro 25, Lisboa'),
  },
  it: {
    columns: {
      name: list('Esame|Analisi|Esami|Parametro|Descrizione esame'),
      value: list('Risultato|Esito|Valore|Risultati'),
      unit: list('Unità|Unità di misura|U.M.'),
      range: list(
        'Valori di riferimento|Intervallo di riferimento|Val. Rif.|Intervalli di riferimento',
      ),
      flag: list('Segnalazione|Allarme|*'),
      previous: list('Precedente|Risultato precedente'),
      method: list('Metodo|Metodica'),
    },
    minimum: 'Minimo',
    maximum: 'Massimo',
    inRange: 'Nella norma',
    outOfRange: 'Fuori norma',
    flags: {
      words: pairs('Alto/Basso|ALTO/BASSO|Elevato/Basso'),
      letters: pairs('H/L|A/B'),
      normal: 'Normale',
    },
    range: {
      to: 'a',
      below: list('<|< |fino a |Inferiore a '),
      above: list('>|> |Superiore a '),
      label: list('Valori di riferimento:|V.R.:|Rif.:'),
      men: 'Uomini',
      women: 'Donne',
    },
    labels: {
      patient: list('Paziente|Cognome e Nome|Sig./Sig.ra'),
      birth: list('Data di nascita|Nato/a il'),
      sex: list('Sesso'),
      age: list('Età'),
      id: list('Codice paziente|Cod. Fiscale'),
      doctor: list('Medico|Medico richiedente'),
      specimen: list('N. accettazione|Richiesta n.|Campione n.'),
      collected: list('Data prelievo|Data di prelievo|Prelievo del'),
      received: list('Ricevuto il|Accettazione del'),
      reported: list('Data referto|Data di refertazione|Refertato il'),
      page: list('Pagina # di ##|Pag. #/##'),
      sample: list('Materiale|Campione'),
      methodLabel: list('Metodo'),
    },
    male: list('Maschio|M'),
    female: list('Femmina|F'),
    labNames: list(
      'Laboratorio Analisi San Marco|Centro Analisi Cliniche Adriatico|Laboratorio Villa Serena|Poliambulatorio Colle Verde',
    ),
    title: list('REFERTO DI LABORATORIO|Referto analisi cliniche|REFERTO'),
    panels: table(
      'cbc: EMATOLOGIA|Esame emocromocitometrico|Emocromo; diff: Formula leucocitaria; diffabs: Formula leucocitaria (valori assoluti); inflammation: Indici di flogosi; chem: CHIMICA CLINICA|Biochimica|Chimica clinica; lytes: Elettroliti; liver: Profilo epatico|Funzionalità epatica; muscle: Enzimi muscolari; pancreas: Enzimi pancreatici; lipids: Assetto lipidico|Profilo lipidico; diabetes: Diabete|Profilo glicemico; thyroid: Funzionalità tiroidea|Ormoni tiroidei; iron: Assetto marziale|Metabolismo del ferro; vitamins: Vitamine; tumor: Marcatori tumorali; hormones: Ormoni|Dosaggi ormonali; coag: Coagulazione|Emocoagulazione; immuno: Immunologia|Proteine specifiche; cardiac: Marcatori cardiaci; urinechem: Chimica urinaria; urine: Esame chimico-fisico urine|Esame urine; sediment: Esame del sedimento; serology: Sierologia; pcr: Biologia molecolare',
    ),
    qualitative: dictionary(
      'negative: Assente; positive: Presente; trace: Tracce; plus1: +; plus2: ++; plus3: +++; yellow: Giallo; strawyellow: Giallo paglierino; amber: Ambrato; darkyellow: Giallo scuro; clear: Limpido; cloudy: Torbido; turbid: Lievemente torbido; none: Assenti; few: Rari; moderate: Alcuni; nonreactive: Non reattivo; reactive: Reattivo; notdetected: Non rilevato; detected: Rilevato',
    ),
    samples: { blood: 'Sangue intero', serum: 'Siero', urine: 'Urina' },
    methods: list(
      'Colorimetrico|Chemiluminescenza|Citofluorimetria|Turbidimetria|Enzimatico|Calcolo',
    ),
    comments: list(
      'Prediabete: 5,7 - 6,4 %; diabete: maggiore o uguale a 6,5 %.|Campione lievemente emolizzato.|Risultato verificato il 12/03 alle 14:35.|Valore desiderabile inferiore a 200 mg/dL.',
    ),
    footers: list(
      'Il presente referto non può essere riprodotto parzialmente.|Il Direttore del Laboratorio: Dott.ssa F. Bellandi|I risultati si riferiscono al campione pervenuto.',
    ),
    firstNames: {
      male: list('Marco|Andrea|Davide|Paolo'),
      female: list('Giulia|Chiara|Francesca|Elisa'),
    },
    lastNames: list('Bellandi|Rossetti|Marchesan|Colombari|Ferraro'),
    cities: list('Via Garibaldi 22, 60121 Ancona|Viale Trento 7, 36100 Vicenza'),
  },
  nl: {
    columns: {
      name: list('Bepaling|Onderzoek|Test|Omschrijving'),
      value: list('Uitslag|Resultaat|Waarde'),
      unit: list('Eenheid|Eenheden'),
      range: list('Referentiewaarden|Referentie-interval|Normaalwaarden|Referentie'),
      flag: list('Afwijking|Vlag'),
      previous: list('Vorige uitslag|Vorige'),
      method: list('Methode|Materiaal'),
    },
    minimum: 'Minimum',
    maximum: 'Maximum',
    inRange: 'Binnen norm',
    outOfRange: 'Buiten norm',
    flags: {
      words: pairs('Hoog/Laag|verhoogd/verlaagd'),
      letters: pairs('H/L|+/-'),
      normal: 'Normaal',
    },
    range: {
      to: 'tot',
      below: list('<|< |tot '),
      above: list('>|> |vanaf '),
      label: list('Referentiewaarden:|Ref.:'),
      men: 'man',
      women: 'vrouw',
    },
    labels: {
      patient: list('Patiënt|Naam|Naam patiënt'),
      birth: list('Geboortedatum|Geb. datum'),
      sex: list('Geslacht'),
      age: list('Leeftijd'),
      id: list('Patiëntnummer|BSN'),
      doctor: list('Aanvrager|Huisarts'),
      specimen: list('Ordernummer|Labnummer|Monsternummer'),
      collected: list('Afnamedatum|Datum afname'),
      received: list('Ontvangen|Ontvangstdatum'),
      reported: list('Rapportdatum|Datum rapport'),
      page: list('Pagina # van ##|Blad # van ##'),
      sample: list('Materiaal'),
      methodLabel: list('Methode'),
    },
    male: list('Man|M'),
    female: list('Vrouw|V'),
    labNames: list(
      'Medisch Laboratorium De Linde|Diagnostisch Centrum Westkade|Streeklab Rijnhoek|Klinisch Laboratorium Noorderpoort',
    ),
    title: list('Laboratoriumuitslag|UITSLAGRAPPORT|Laboratoriumrapport'),
    panels: table(
      'cbc: Hematologie|Bloedbeeld; diff: Leukocytendifferentiatie; diffabs: Differentiatie absoluut; inflammation: Ontstekingsparameters; chem: Klinische chemie|Nierfunctie; lytes: Elektrolyten; liver: Leverfunctie|Leverwaarden; muscle: Spierenzymen; pancreas: Pancreas; lipids: Lipiden|Vetspectrum; diabetes: Diabetes; thyroid: Schildklier|Schildklierfunctie; iron: IJzerstatus; vitamins: Vitamines; tumor: Tumormarkers; hormones: Hormonen|Endocrinologie; coag: Stolling; immuno: Immunologie|Immunoglobulinen; cardiac: Hartmarkers; urinechem: Urinechemie; urine: Urineonderzoek|Urine screening; sediment: Urinesediment; serology: Serologie; pcr: Moleculaire diagnostiek',
    ),
    qualitative: dictionary(
      'negative: Negatief; positive: Positief; trace: Spoor; plus1: +; plus2: ++; plus3: +++; yellow: Geel; strawyellow: Lichtgeel; amber: Amber; darkyellow: Donkergeel; clear: Helder; cloudy: Troebel; turbid: Licht troebel; none: Geen; few: Weinig; moderate: Matig; nonreactive: Niet reactief; reactive: Reactief; notdetected: Niet aangetoond; detected: Aangetoond',
    ),
    samples: { blood: 'EDTA-bloed', serum: 'Serum', urine: 'Urine' },
    methods: list('Fotometrie|Immunoassay|Flowcytometrie|Turbidimetrie|Enzymatisch|Berekening'),
    comments: list(
      'Prediabetes: 39 - 46 mmol/mol, diabetes vanaf 48 mmol/mol.|Monster licht hemolytisch.|Uitslag bevestigd door herhaling.|Streefwaarde bij verhoogd risico lager dan 1,8 mmol/L.',
    ),
    footers: list(
      'Uitslagen hebben alleen betrekking op het ontvangen materiaal.|Klinisch chemicus: dr. M. Hoekstra|Dit rapport is vertrouwelijk.',
    ),
    firstNames: {
      male: list('Daan|Pieter|Ruben|Willem'),
      female: list('Sanne|Femke|Lotte|Marijke'),
    },
    lastNames: list('Hoekstra|Verbruggen|Terpstra|Kuipers|Zandstra'),
    cities: list('Kerkstraat 12, 3511 Utrecht|Havenweg 4, 8011 Zwolle'),
  },
}
