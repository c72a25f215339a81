/**
 * Controls that read like a destructive action, by words of eleven languages in three ranks. A control that signs out or closes an account is
 * never used. One that ends, removes, pays, sends or agrees is used only while nothing that changes something can leave the
 * browser (time-for-use.ts).
 */

/** `signs out`: ends the session or the account, perhaps within the browser. `ends`: takes something away or costs money. `commits`: sends something to somebody. */
type Destruction = 'signs out' | 'ends' | 'commits';

interface Wording {
  /** Words that a person reads: text, label, title. */
  readonly words: string;
  /** Words that a developer reads: id, classes, names, addresses. */
  readonly marks: string;
}

/**
 * Words, or runs of words, by language: each begins a word; before `|` the word ends, before `!` nothing else is said
 * ("Order", not "Order history").
 */
const SIGNS_OUT: Readonly<Record<string, string>> = {
  english:
    'log out|,logout|,log off|,logoff|,log me out|,sign out|,signout|,sign off|,signoff|,sign me out|,end session,exit!,quit!,switch account,switch user,disable account,close account,delete account,delete my account,delete your account,cancel account,deactivat,unregister,reset all,factory reset,clear all data,clear site data,clear storage,forget me|,forget this device',
  german:
    'abmelden|,ausloggen|,logout|,konto schließen,konto schliessen,konto löschen,konto loeschen,benutzer wechseln,konto wechseln,deaktivier,sitzung beenden,alle daten löschen',
  french:
    'déconnexion,deconnexion,se déconnecter,se deconnecter,déconnecter,désinscri,desinscri,désactiver,desactiver,fermer mon compte,fermer le compte,supprimer mon compte,supprimer le compte,changer de compte',
  spanish:
    'cerrar sesión,cerrar sesion,salir|,salir de la cuenta,darse de baja,dar de baja,cancelar cuenta,eliminar cuenta,eliminar mi cuenta,desactivar|,cambiar de cuenta',
  italian:
    'disconnetti,esci|,logout|,disiscriv,disattiva|,chiudi account,cancella account,elimina account,cambia account',
  portuguese:
    'terminar sessão,encerrar sessão,sair|,sair da conta,desconectar,cancelar conta,excluir conta,descadastrar,desativar|,trocar de conta',
  dutch:
    'uitloggen|,afmelden|,log uit|,uitschrijven|,account sluiten,account verwijderen,deactiveer,wissel van account',
  polish: 'wyloguj,wypisz|,dezaktywuj,zamknij konto,usuń konto,przełącz konto',
  russian: 'выйти|,выход!,разлогин,деактивир,закрыть аккаунт,удалить аккаунт,сменить аккаунт',
  chinese: '退出登录,登出,注销,退出账号,登录退出,停用,切换账号',
  japanese: 'ログアウト,サインアウト,退会,登録解除,アカウントを削除,アカウント切替',
};

const ENDS: Readonly<Record<string, string>> = {
  english:
    'delete,deletion|,remove,erase,destroy,discard|,wipe|,purge|,trash!,revoke,cancel my,cancel subscription,cancel order,cancel membership,cancel plan,unsubscribe,opt out,uninstall,terminate,ban!,block user,report user,buy|,buy now,purchase,checkout|,check out|,pay|,pay now,payment|,place order,place your order,order now,order!,reorder!,add to cart,add to basket,add to bag,donate|,subscribe and pay,bid!,place bid,transfer money,withdraw|,reset password,drop table,empty trash,empty cart,book now,reserve now,rent now,upgrade now,start trial,start free trial',
  german:
    'lösch,loesch,entfernen|,verwerfen|,kündig,kuendig,abbestell,austragen|,kaufen|,jetzt kaufen,zahlungspflichtig,bestell,bezahl,zur kasse,kasse!,in den warenkorb,warenkorb legen,spenden|,storn,widerruf,überweis,ueberweis,jetzt buchen,mieten|,papierkorb leeren,sperren|',
  french:
    'supprim,effacer|,retirer|,désabonn,desabonn,résili,resili,annuler mon,annuler la commande,acheter|,achat!,commander|,payer|,paiement|,passer commande,ajouter au panier,faire un don,réserver|,vider le panier',
  spanish:
    'eliminar,borrar|,quitar|,suprimir|,cancelar suscripción,cancelar suscripcion,cancelar mi,cancelar pedido,comprar|,comprar ahora,pagar|,pago!,realizar pedido,hacer pedido,pedir ahora,finalizar compra,tramitar pedido,añadir al carrito,agregar al carrito,donar|,reservar|',
  italian:
    'elimina,cancella|,cancellare|,rimuovi|,rimuovere|,annulla iscrizione,annulla ordine,compra|,acquista|,acquistare|,ordina ora,effettua ordine,paga|,pagamento|,cassa|,aggiungi al carrello,svuota,dona!,dona ora,prenota|',
  portuguese:
    'excluir|,apagar|,eliminar|,remover|,cancelar assinatura,cancelar inscrição,cancelar pedido,comprar|,pagar|,pagamento|,finalizar compra,fazer pedido,encomendar|,adicionar ao carrinho,doar|,reservar|',
  dutch:
    'verwijder,wissen|,opzeggen|,annuleer bestelling,kopen|,koop nu,nu kopen,bestel|,bestellen|,bestel nu,afrekenen|,betaal,betalen|,in winkelwagen,in winkelmand,doneer|,boek nu',
  polish:
    'usuń|,usun|,usuwa,skasuj|,kasuj|,anuluj subskrypcję,anuluj zamówienie,zrezygnuj,kup|,kup teraz,kupuję|,zamawiam|,zamów|,zamow|,zapłać|,zaplac|,płacę|,do kasy,do koszyka,dodaj do koszyka,wesprzyj|,zarezerwuj',
  russian:
    'удалить|,удали,стереть|,очистить|,отписаться|,отменить подписку,отменить заказ,купить|,покупка|,заказать|,оформить заказ,оплатить|,оплата|,в корзину,пожертвовать|,забронировать|',
  chinese:
    '删除,刪除,移除,清空,退订,退訂,取消订阅,取消訂閱,取消订单,取消訂單,购买,購買,立即购买,下单,下單,结账,結帳,结算,支付,付款,加入购物车,加入購物車,捐款,捐赠',
  japanese:
    '削除,消去,解約,購読解除,配信停止,キャンセルする,注文をキャンセル,購入,注文,レジに進む,支払,カートに入れる,カートに追加,寄付,予約する',
};

const COMMITS: Readonly<Record<string, string>> = {
  english:
    'send|,submit|,publish|,post!,post comment,reply|,save|,save changes,confirm|,accept|,agree|,approve|,apply|,apply now,update profile,sign up|,signup|,register|,create account,subscribe|,follow!,unfollow|,join!,like!,upvote|,downvote|,vote!,rate!,share|,tweet|,invite!,report!,flag!,upload|,import!,install!,allow!,enable notifications,request!,book!,reserve!,i agree,yes!,grant!,merge!,deploy|,restart|,archive!,reset!,claim!,log in|,login|,sign in|,signin|',
  german:
    'absenden|,senden|,abschicken|,schicken|,veröffentlich,veroeffentlich,speicher,bestätig,bestaetig,akzeptier,zustimm,einverstanden|,annehmen|,registrier,abonnier,anmelden|,einloggen|,bewerben|,teilen!,kommentieren|,antworten|,folgen|,melden!,hochladen|,anfrage|,reservier,genehmig,gefällt mir',
  french:
    "envoyer|,soumettre|,publier|,poster|,répondre|,repondre|,enregistrer|,sauvegarder|,confirmer|,valider|,accepter|,tout accepter,approuver|,inscri,s'inscrire,s'abonner,abonner|,connexion|,se connecter,partager|,suivre!,signaler|,postuler|,téléverser|,j'accepte",
  spanish:
    'enviar|,publicar|,responder|,guardar|,confirmar|,aceptar|,aprobar|,registrarse|,registrar|,regístrate|,suscrib,iniciar sesión,iniciar sesion,compartir|,seguir!,denunciar|,solicitar|,subir|',
  italian:
    'invia|,inviare|,pubblica|,rispondi|,salva|,salvare|,conferma|,accetta|,approva|,registrati|,iscriviti|,abbonati|,accedi|,condividi|,segui!,segnala|,candidati|,carica file',
  portuguese:
    'enviar|,publicar|,postar|,responder|,salvar|,guardar|,gravar|,confirmar|,aceitar|,aprovar|,registar|,registrar|,cadastr,inscrever,subscrever|,assinar|,entrar|,partilhar|,compartilhar|,seguir!,denunciar|',
  dutch:
    'verzend,versturen|,verstuur|,plaatsen|,publiceer,publiceren|,reageer|,opslaan|,bewaren|,bevestig,accepteer,accepteren|,akkoord|,registreer,aanmelden|,inschrijven|,inloggen|,abonneer,delen!,volgen|,solliciteer',
  polish:
    'wyślij|,wyslij|,opublikuj|,publikuj|,odpowiedz|,zapisz|,potwierdź|,potwierdz|,akceptuj|,akceptuję|,zaakceptuj,zgadzam,zatwierdź|,zarejestruj,zaloguj,subskrybuj|,udostępnij|,obserwuj|,zgłoś|',
  russian:
    'отправить|,опубликовать|,ответить|,сохранить|,подтвердить|,принять|,согласен|,согласиться|,зарегистрир,регистрация|,войти|,вход!,подписаться|,поделиться|,пожаловаться|,загрузить файл',
  chinese:
    '发送,發送,提交,发布,發布,发表,發表,回复,回覆,保存,儲存,确认,確認,接受,同意,注册,註冊,登录,登入,订阅,訂閱,分享,关注,關注,上传,上傳,点赞',
  japanese:
    '送信,投稿,公開する,返信,保存,確認する,承認,同意,許可,登録,ログイン,サインイン,購読,共有,フォローする,アップロード,申し込,いいね',
};

/** Methods and names in markup and addresses that say the same without a language. */
const MARKED_SIGNS_OUT =
  /(?:^|[\W_])(?:log-?out|log-?off|sign-?out|sign-?off|end-?session|(?:close|delete|disable|cancel|remove)-?(?:my-?)?account|deactivate)(?=$|[\W_])/i;
const MARKED_ENDS =
  /(?:^|[\W_])(?:delete|destroy|remove|erase|purge|trash|unsubscribe|opt-?out|checkout|buy|purchase|pay|payment|place-?order|add-?to-?(?:cart|basket|bag)|donate|revoke|kill|shutdown|reboot|uninstall|data-method (?:delete|put|patch|post)|data-turbo-method (?:delete|put|patch|post)|hx-delete)(?=$|[\W_])/i;
const MARKED_COMMITS =
  /(?:^|[\W_])(?:submit|publish|save|confirm|accept|approve|upload|subscribe|sign-?up|register|vote|like|hx-post|hx-put|hx-patch)(?=$|[\W_])/i;

const LETTER = '\\p{L}\\p{M}\\p{N}';

/** One expression for all words: those that end alike stand together, for each class of letters costs a millisecond to compile. */
function matcherOf(lists: Readonly<Record<string, string>>): RegExp {
  const terms = {
    whole: new Set<string>(),
    word: new Set<string>(),
    start: new Set<string>(),
    anywhere: new Set<string>(),
  };
  for (const term of Object.values(lists).flatMap((list) => list.split(','))) {
    const text = term
      .replace(/[!|]$/, '')
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(' ', '\\s+');
    // Chinese and Japanese write no spaces
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(term)) terms.anywhere.add(text);
    else terms[term.endsWith('!') ? 'whole' : term.endsWith('|') ? 'word' : 'start'].add(text);
  }
  const any = (set: ReadonlySet<string>): string => (set.size === 0 ? '(?!)' : `(?:${[...set].join('|')})`);
  const sources = [
    `^[^${LETTER}]*${any(terms.whole)}[^${LETTER}]*$`,
    `(?<![${LETTER}])(?:${any(terms.word)}(?![${LETTER}])|${any(terms.start)})`,
    any(terms.anywhere),
  ];
  return new RegExp(sources.join('|'), 'iu');
}

const READS_SIGNS_OUT = matcherOf(SIGNS_OUT);
const READS_ENDS = matcherOf(ENDS);
const READS_COMMITS = matcherOf(COMMITS);

/** Longer texts are no names of buttons. */
const WORDS = 240;
const MARKS = 500;

/** The gravest harm that it reads like; null for none. */
export function destructionOf({ words, marks }: Wording): Destruction | null {
  const read = words
    .slice(0, WORDS)
    .normalize('NFC')
    .replace(/[\s\u00A0_]+/g, ' ');
  const marked = destructionOfMarks(marks);
  if (marked === 'signs out' || READS_SIGNS_OUT.test(read)) return 'signs out';
  if (marked === 'ends' || READS_ENDS.test(read)) return 'ends';
  return marked ?? (READS_COMMITS.test(read) ? 'commits' : null);
}

/** The same for the words of a developer alone. */
export function destructionOfMarks(marks: string): Destruction | null {
  // `deleteItem`, `btnDelete`
  const marked = marks
    .slice(0, MARKS)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .replaceAll('_', '-');
  if (MARKED_SIGNS_OUT.test(marked)) return 'signs out';
  if (MARKED_ENDS.test(marked)) return 'ends';
  return MARKED_COMMITS.test(marked) ? 'commits' : null;
}
