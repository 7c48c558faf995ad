/**
 * Stems of antimicrobial names in the languages that are read: they are alike, but for their
 * endings.
 */
const STEMS =
  /\b(?:\w*[cz]ill?in[ae]?|cef\w{2,}|ceph\w{3,}|kef\w{3,}|\w*penem[aes]?|\w*floxacin[aoe]?|\w*m[iy][cz]in[ae]?|\w*[cz][iy][ck]lin[ae]?|amika[cz]in[ae]?|\w*sul(?:f|ph)a\w*|sulbactam|tazobactam|clavulan\w*|cotrimoxazol\w*|trimeth?oprim\w*|tmp|smx|sxt|nitrofuranto\w*|teicoplanin\w*|\w*zolid\w*|aztreonam\w*|colistin\w*|polymyxin\w*|polimi\w+|fosfom\w+|rifam\w+|metronidazole?|chloramphenicol|cloranfenicol|nalidixic|mupirocin\w*|quinupristin|dalfopristin|\w*conazole?|\w*fungin\w*|amphotericin\w*|anfotericina|flucytosine|bactrim|synercid|augmentin|unasyn|zosyn|isoniazid\w*|ethambutol|pyrazinamide|penicilin\w*)\b/i

/** Returns whether a text names an antimicrobial. */
export function namesAntibiotic(text: string): boolean {
  const plain = text.normalize('NFD').replace(/\p{M}+/gu, '')
  return STEMS.test(plain)
}

const GENERA =
  /^(?:Escherichia|Klebsiella|Staph(?:ylococcus)?|Enterococcus|Pseudomonas|Proteus|Strep(?:tococcus)?|Candida|Enterobacter|Serratia|Citrobacter|Acinetobacter|Morganella|Salmonella|Shigella|H[ae]+mophilus|Stenotrophomonas|Providencia|Campylobacter|Neisseria|Moraxella|Listeria|Bacteroides|Clostridi\w+|Corynebacterium|Burkholderia|Aeromonas|Raoultella|Hafnia|Pantoea|Mycobacterium|Lactobacillus|Gardnerella|Achromobacter|Cutibacterium|Aspergillus|Cryptococcus|Trichosporon|MRSA|MSSA|VRE|[EKSPC]\. ?(?:coli|pneumoniae|oxytoca|aureus|epidermidis|aeruginosa|mirabilis|vulgaris|faecalis|faecium|cloacae|aerogenes|freundii|agalactiae|pyogenes|albicans|glabrata))\b/i

/** Returns whether a text begins with the name of a germ. */
export function startsWithOrganism(text: string): boolean {
  return GENERA.test(text)
}
