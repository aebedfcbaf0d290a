//! How little an invocation asks of the allocator.

use skilldeck_runtime::{Request, Shape};

use crate::support::deck;

#[test]
fn a_skill_with_arguments_takes_three_allocations() {
    let line = "Look at what changed, and say why it did, in a line or two.\n";
    let body = format!("arguments: [what]\n---\n{}Now $what for $ARGUMENTS.\n", line.repeat(85));
    let registry = deck(&[("review", &body)]);
    let request = Request::line("/skill:review src/parser 2").session("s-1");
    let outcome = registry.invoke(&request).unwrap();
    assert!(outcome.text().len() > 5 << 10);
    let shapes = [Shape::User, Shape::Plain, Shape::Agui, Shape::Tool, Shape::OpenCode];
    for shape in shapes {
        let request = request.clone().shape(shape);
        let info = allocation_counter::measure(|| {
            registry.invoke(&request).unwrap();
        });
        // The text, the words of the arguments, the texts of the events.
        assert!(info.count_total <= 3, "{shape:?}: {info:?}");
    }
}
