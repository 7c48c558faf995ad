import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in French. */
export const FRENCH: LanguageWords = {
  columns: {
    test: list(`
      analyse; analyses; examen; examens; parametre; parametres; test; dosage; determination; libelle;
      designation`),
    result: list(`
      resultat; resultats; valeur; valeurs; resultat actuel; resultats actuels`),
    unit: list(`unite; unites; unite de mesure`),
    reference: list(`
      valeurs de reference; valeur de reference; intervalle de reference; intervalles de reference;
      valeurs usuelles; valeur usuelle; reference; references; norme; normes; valeurs normales;
      intervalle; val. ref.; v.r.; val. usuelles; valeurs de ref.; bornes; limites; normales; intervalles;
      plage de reference`),
    flag: list(`
      alerte; statut; drapeau; anomalie; interpretation; indicateur; remarque`),
    method: list(`methode; technique; prelevement; echantillon; automate; code`),
    previous: list(`
      anterieur; anteriorite; anteriorites; resultat anterieur; resultats anterieurs; precedent; resultat
      precedent; historique; valeur anterieure; anterieurs`),
  },
  header: {
    date: list(`date`),
    patient: list(`
      patient; nom du patient; nom et prenom; nom prenom; nom, prenom; identite; patiente; nom complet;
      nom / prenom; nom & prenom; prenom et nom; prenom nom`),
    firstName: list(`prenom; prenoms`),
    lastName: list(`nom; nom de famille; nom de naissance; nom d'usage`),
    dateOfBirth: list(`
      date de naissance; ne(e) le; ne le; nee le; naissance; ddn; date naissance; date de naiss.; ne(e);
      ne; nee`),
    age: list(`age`),
    gender: list(`sexe; genre`),
    ageAndGender: list(`age/sexe; sexe/age; age / sexe; sexe / age; age et sexe; sexe et age`),
    laboratory: list(`laboratoire; laboratoire executant; realise par; nom du laboratoire`),
    collected: list(`
      preleve le; date de prelevement; prelevement; prelevement du; date du prelevement; prelevement le;
      date prelevement; prelevements du; preleve; echantillon preleve le`),
    received: list(`
      recu le; date de reception; reception; enregistre le; date de la demande; imprime le; date
      de reception; date d'impression; date d'enregistrement; dossier du; demande du; date de demande;
      enregistrement; date d'enreg.; reception le`),
    reported: list(`
      date du rapport; edite le; imprime le; rapport du; valide le; resultats du; date de validation; date d'edition; edition
      du; compte rendu du; date des resultats; edite; compte-rendu du; date de resultat; date de rendu;
      rendu le; rapporte le; date du resultat; rapport final; date du compte rendu; date compte rendu;
      transmis le; emis le; date de rapport`),
    specimenNumber: list(`
      numero de dossier; n dossier; n° dossier; nº dossier; dossier; dossier n°; dossier n; n° de dossier;
      numero echantillon; n° echantillon; echantillon; echantillon n°; n° d'echantillon; n° de
      prelevement; numero de prelevement; numero d'echantillon; n° demande; numero de demande; demande; n°
      de demande; no dossier; no de dossier; reference; ref. dossier; demande n°; no. de dossier; no
      echantillon; ref`),
    patientNumber: list(`
      n° patient; ipp; nss; adresse; telephone; n° securite sociale; ramq; nam; page; id patient; no
      patient; n° ipp; service; tel; fax; assurance; n° ss; n° avs`),
    physician: list(`
      medecin; prescripteur; medecin prescripteur; docteur; dr; prescrit par; medecin traitant; dr.;
      demandeur; biologiste; valide par; biologiste responsable; medecin requerant; copie a`),
  },
  normal: list(`normal; normale`),
  high: list(`eleve; elevee; haut; haute; augmente; superieur`),
  low: list(`bas; basse; diminue; inferieur; abaisse; faible`),
  abnormal: list(`anormal; anormale; hors norme; hors normes`),
  critical: list(`critique; alarme; panique`),
  positive: list(`positif; positive; detecte; presence; present; reactif`),
  negative: list(`
      negatif; negative; non detecte; absence; absent; non reactif; indetectable; absents; absente`),
  male: list(`homme; masculin; m; h; hommes; masc`),
  female: list(`femme; feminin; f; femmes; fem`),
  sections: list(`
      hematologie; biochimie; biochimie sanguine; numeration; hemogramme; numeration formule sanguine;
      numeration globulaire; formule leucocytaire; bilan lipidique; bilan hepatique; bilan thyroidien;
      bilan renal; bilan martial; ionogramme; ionogramme sanguin; hemostase; coagulation; immunologie;
      serologie; hormonologie; bacteriologie; urines; examen cytobacteriologique des urines; marqueurs
      tumoraux; vitamines; chimie; endocrinologie; lipides; enzymes; proteines; bilan glucidique`),
}
