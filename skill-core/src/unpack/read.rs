//! What reads numbers in place of functions.

/// Takes the next numbers, each under a name.
macro_rules! numbers {
    ($cursor:expr, $($name:ident)+) => {
        let [$($name,)+ rest @ ..] = $cursor.numbers else {
            panic!("the numbers of a compiled deck end too early")
        };
        $cursor.numbers = rest;
    };
}

/// The next number.
macro_rules! number {
    ($cursor:expr) => {{
        numbers!($cursor, number);
        *number
    }};
}

/// Whether the next number is not 0.
macro_rules! is {
    ($cursor:expr) => {
        number!($cursor) != 0
    };
}

/// The text with the next number.
macro_rules! text {
    ($cursor:expr) => {
        $cursor.pool.texts[number!($cursor) as usize]
    };
}

/// The text with the next number, if the number before it says that there is one.
macro_rules! optional {
    ($cursor:expr) => {
        if is!($cursor) { Some(Borrowed(text!($cursor))) } else { None }
    };
}

/// A list: so many items from a position of one of the pool on. One that is empty owns that: it has
/// no pointer for the loader to adjust.
macro_rules! list {
    ($cursor:expr, $list:ident) => {{
        numbers!($cursor, start length);
        list!($cursor, $list, start, length)
    }};
    ($cursor:expr, $list:ident, $start:expr, $length:expr) => {
        if *$length == 0 {
            const { Owned(Vec::new()) }
        } else {
            Borrowed(run!($cursor, $list, $start, $length))
        }
    };
}

/// The same as a slice. To cut takes the compiler a dozen calls, so the short lists that most are
/// need none or one.
macro_rules! run {
    ($cursor:expr, $list:ident, $start:expr, $length:expr) => {
        match *$length {
            1 => from_ref(&$cursor.pool.$list[*$start as usize]),
            length => $cursor.pool.$list.split_at(*$start as usize).1.split_at(length as usize).0,
        }
    };
}

/// The two numbers of a span.
macro_rules! span {
    ($cursor:expr) => {
        Span { start: number!($cursor), end: number!($cursor) }
    };
}
