import { expect, test } from 'vitest';
import { destructionOf } from '../../../../src/core/interaction/destructive-action.ts';
import { processorTime } from '../../../support/processor-time.ts';

test.each([
  ...[
    'Delete',
    'Remove item',
    'Cancel subscription',
    'Unsubscribe',
    'Buy now',
    'Place order',
    'Order',
    'Pay',
    'Pay now',
    'Check out',
    'Checkout',
    'Add to cart',
    'Donate',
    'Empty trash',
    'Reset password',
  ],
  ...[
    'Löschen',
    'Kündigen',
    'Jetzt kaufen',
    'Zahlungspflichtig bestellen',
    'Zur Kasse',
    'Newsletter abbestellen',
    'Entfernen',
  ],
  ...['Supprimer', 'Se désabonner', 'Acheter', 'Payer', 'Passer commande', 'Ajouter au panier'],
  ...['Eliminar', 'Borrar', 'Comprar', 'Pagar', 'Añadir al carrito'],
  ...['Elimina', 'Rimuovi', 'Acquista', 'Paga', 'Aggiungi al carrello'],
  ...['Excluir', 'Apagar', 'Comprar', 'Finalizar compra', 'Cancelar assinatura'],
  ...['Verwijderen', 'Kopen', 'Bestellen', 'Afrekenen', 'Betalen'],
  ...['Usuń', 'Kup teraz', 'Zamawiam', 'Zapłać', 'Do koszyka'],
  ...['Удалить', 'Отписаться', 'Купить', 'Оплатить', 'Оформить заказ', 'В корзину'],
  ...['删除', '取消订阅', '立即购买', '支付', '结账', '加入购物车'],
  ...['削除する', '購入する', '注文を確定', '支払う', 'カートに入れる'],
])('%s takes something away or costs something', (words) => {
  expect(destructionOf({ words, marks: '' })).toBe('ends');
});

test.each([
  ...[
    'Log out',
    'Logout',
    'Sign Out',
    'Delete account',
    'Abmelden',
    'Konto löschen',
    'Se déconnecter',
    'Déconnexion',
    'Cerrar sesión',
    'Darse de baja',
    'Esci',
    'Disiscriviti',
    'Sair',
    'Uitloggen',
    'Uitschrijven',
    'Wyloguj się',
    'Wypisz się',
    'Выйти',
    '退出登录',
    '注销',
    'ログアウト',
    '退会',
  ],
  ...['Clear all data', 'Switch account', 'Exit', 'Deactivate'],
])('%s ends the session or the account', (words) => {
  expect(destructionOf({ words, marks: '' })).toBe('signs out');
});

test.each([
  ...[
    'Send',
    'Send message',
    'Submit',
    'Publish',
    'Post',
    'Like',
    'Save',
    'Save changes',
    'Confirm',
    'Accept',
    'I agree',
    'Sign up',
    'Log in',
  ],
  ...['Absenden', 'Speichern', 'Veröffentlichen', 'Bestätigen', 'Akzeptieren', 'Registrieren', 'Anmelden'],
  ...['Envoyer', 'Publier', 'Enregistrer', 'Confirmer', 'Accepter', "S'inscrire", 'Se connecter'],
  ...['Enviar', 'Publicar', 'Guardar', 'Confirmar', 'Aceptar', 'Iniciar sesión'],
  ...['Invia', 'Pubblica', 'Salva', 'Conferma', 'Accetta', 'Accedi'],
  ...['Salvar', 'Confirmar', 'Aceitar', 'Entrar'],
  ...['Versturen', 'Opslaan', 'Bevestigen', 'Accepteren', 'Inloggen'],
  ...['Wyślij', 'Zapisz', 'Potwierdź', 'Akceptuję', 'Zaloguj się'],
  ...['Отправить', 'Сохранить', 'Подтвердить', 'Принять', 'Войти'],
  ...['发送', '提交', '发布', '保存', '确认', '登录'],
  ...['送信', '投稿する', '保存', '確認する', 'ログイン'],
])('%s tells somebody something', (words) => {
  expect(destructionOf({ words, marks: '' })).toBe('commits');
});

test.each([
  'Show more',
  'Load more',
  'Next',
  'Menu',
  'Products',
  'Details',
  'Order history',
  'Annual report',
  'Books like this',
  'Recent posts',
  'Blog posts',
  'Payments explained',
  'Posts',
  'Buyers guide',
  'Delivery',
  'Savings',
  'Bank',
  'Banner',
  'Sender',
  'Acceptance tests',
  'Reviews',
  'Overview',
  'Close',
  'Exit row seats',
  'Accounts',
  'Cancel',
  'Mehr anzeigen',
  'Weiter',
  'Bestenliste',
  'Einkaufsführer',
  'Suivant',
  'Plus de détails',
  'Siguiente',
  'Ver más',
  'Avanti',
  'Mostra altro',
  'Próximo',
  'Ver mais',
  'Volgende',
  'Meer tonen',
  'Następna',
  'Pokaż więcej',
  'Далее',
  'Показать ещё',
  '下一页',
  '更多',
  '次へ',
  'もっと見る',
  '',
])('%s does no harm', (words) => {
  expect(destructionOf({ words, marks: '' })).toBeNull();
});

test.each([
  ['btnDelete', 'ends'],
  ['icon-button js-logout', 'signs out'],
  ['/account/logout', 'signs out'],
  ['close_account', 'signs out'],
  ['?action=delete&id=3', 'ends'],
  ['data-action remove-item', 'ends'],
  ['data-method delete', 'ends'],
  ['add_to_cart', 'ends'],
  ['saveForm', 'commits'],
  ['nav-toggle', null],
  ['deleted-items-list', null],
  ['post-title', null],
  ['payments-tab', null],
])('the mark %s reads as %s', (marks, destruction) => {
  expect(destructionOf({ words: '', marks })).toBe(destruction);
});

test('a long text is read in a moment', () => {
  const started = processorTime();
  destructionOf({ words: 'log '.repeat(100_000), marks: 'a-'.repeat(100_000) });
  expect(processorTime() - started).toBeLessThan(500);
});
